import type { TensorHeader } from './types';

export interface TensorFrame {
  header: TensorHeader;
  values: Float32Array;
}

const MAGIC = [0x41, 0x53, 0x47, 0x54]; // ASGT

// A binary frame: `ASGT`, the length of a JSON header, the header padded to four bytes, then little-endian f32.
export function parseTensor(frame: ArrayBuffer): TensorFrame | null {
  if (frame.byteLength < 8) return null;
  const bytes = new Uint8Array(frame);
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) return null;
  const length = new DataView(frame).getUint32(4, true);
  if (length % 4 !== 0 || 8 + length > frame.byteLength) return null;
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) as TensorHeader;
    const rest = frame.byteLength - 8 - length;
    if (rest % 4 !== 0) return null;
    return { header, values: new Float32Array(frame, 8 + length, rest / 4) };
  } catch {
    return null;
  }
}

export interface ValueType {
  dtype: string;
  shape: number[];
}

// `f32[12, 64]` in its parts; a text that is not a type has an empty dtype.
export function parseType(text: string): ValueType {
  const match = /^([a-z]+[0-9]*)\[([^\]]*)\]$/.exec(text);
  if (!match) return { dtype: '', shape: [] };
  const inside = (match[2] ?? '').trim();
  return { dtype: match[1] ?? '', shape: inside === '' ? [] : inside.split(',').map((dim) => Number(dim)) };
}

const WIDTHS: Record<string, number> = { f32: 4, f64: 8, i32: 4, i64: 8, bool: 1, i8: 1, u8: 1, i16: 2, u16: 2 };

// Can this dtype be written by `encodeTensor`?
export const canEncode = (dtype: string): boolean => dtype in WIDTHS;

// Numbers as the dense tensor that an edit carries: little-endian elements in base64.
export function encodeTensor(type: string, values: readonly number[]): { type: string; data: string } {
  const { dtype } = parseType(type);
  const width = WIDTHS[dtype];
  if (width === undefined) throw new Error(`cannot write elements of ${type}`);
  const bytes = new DataView(new ArrayBuffer(width * values.length));
  values.forEach((value, index) => {
    const at = index * width;
    if (dtype === 'f32') bytes.setFloat32(at, value, true);
    else if (dtype === 'f64') bytes.setFloat64(at, value, true);
    else if (dtype === 'i64') bytes.setBigInt64(at, BigInt(Math.trunc(value)), true);
    else if (dtype === 'i32') bytes.setInt32(at, value, true);
    else if (width === 2) bytes.setUint16(at, value & 0xffff, true);
    else bytes.setUint8(at, dtype === 'bool' ? (value !== 0 ? 1 : 0) : value & 0xff);
  });
  let binary = '';
  for (const byte of new Uint8Array(bytes.buffer)) binary += String.fromCharCode(byte);
  return { type, data: btoa(binary) };
}
