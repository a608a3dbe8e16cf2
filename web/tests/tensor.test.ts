import { describe, expect, it } from 'vitest';
import { encodeTensor, parseTensor, parseType } from '../src/wire/tensor';

function frame(header: string, values: number[], magic = 'ASGT'): ArrayBuffer {
  const text = new TextEncoder().encode(header.padEnd(Math.ceil(header.length / 4) * 4));
  const bytes = new Uint8Array(8 + text.length + 4 * values.length);
  bytes.set(new TextEncoder().encode(magic));
  new DataView(bytes.buffer).setUint32(4, text.length, true);
  bytes.set(text, 8);
  bytes.set(new Uint8Array(Float32Array.from(values).buffer), 8 + text.length);
  return bytes.buffer;
}

describe('a tensor frame', () => {
  it('holds a header and numbers, not finite ones too', () => {
    const parsed = parseTensor(frame('{"event":"tensor","ask":9,"shape":[3]}', [1.5, NaN, -Infinity]));
    expect(parsed?.header).toMatchObject({ ask: 9, shape: [3] });
    expect([...(parsed?.values ?? [])]).toEqual([1.5, NaN, -Infinity]);
  });

  it('is refused when it is damaged', () => {
    expect(parseTensor(new ArrayBuffer(4))).toBeNull();
    expect(parseTensor(frame('{}', [1], 'ASGX'))).toBeNull();
    expect(parseTensor(frame('{"open', [1]))).toBeNull();
    const long = frame('{}', [1]);
    new DataView(long).setUint32(4, 4000, true);
    expect(parseTensor(long)).toBeNull();
    expect(parseTensor(frame('{}', [1]).slice(0, 15))).toBeNull();
  });
});

it.each([
  ['f32[12, 64]', 'f32', [12, 64]],
  ['f32[]', 'f32', []],
  ['i64[7]', 'i64', [7]],
  ['no type', '', []],
])('reads the type %s', (text, dtype, shape) => {
  expect(parseType(text)).toEqual({ dtype, shape });
});

it.each([
  ['f32[]', [3], 'AABAQA=='],
  ['i64[2]', [1, 4], 'AQAAAAAAAAAEAAAAAAAAAA=='],
  ['f32[2]', [1, 2], 'AACAPwAAAEA='],
  ['bool[3]', [1, 0, 5], 'AQAB'],
])('writes %s as the engine reads it', (type, values, data) => {
  expect(encodeTensor(type, values)).toEqual({ type, data });
});

it('does not write a dtype that it does not know', () => {
  expect(() => encodeTensor('bf16[1]', [1])).toThrow('bf16');
});
