// Numbers that look like those of a training, made from names and steps: the same question has the same answer.
function seedOf(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619);
  return hash >>> 0;
}

export function dice(text) {
  let state = seedOf(text) || 1;
  return () => {
    state ^= state << 13; state ^= state >>> 17; state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

const normal = (roll) => Math.sqrt(-2 * Math.log(roll() + 1e-12)) * Math.cos(2 * Math.PI * roll());

export function samples(name, step, count) {
  const roll = dice(`${name}@${step}`);
  const wide = 0.2 + dice(name)() + 0.1 * Math.sin(step / 9);
  return Float32Array.from({ length: count }, () => normal(roll) * wide + Math.sin(step / 17) * 0.1);
}

export function statistics(name, step, count) {
  const values = samples(name, step, 512);
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const low = Math.min(...values), high = Math.max(...values);
  const counts = new Array(32).fill(0);
  for (const value of values) counts[Math.min(31, Math.floor(((value - low) / (high - low || 1)) * 32))] += 1;
  return {
    count, not_finite: 0, mean, deviation: Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length),
    min: low, max: high, preview: [...values.slice(0, 8)], histogram: { low, high, sampled: values.length, counts },
  };
}

export function tensorFrame(header, values) {
  let text = JSON.stringify(header);
  text = text.padEnd(Math.ceil(Buffer.byteLength(text) / 4) * 4, ' ');
  const head = Buffer.alloc(8);
  head.write('ASGT', 0, 'latin1');
  head.writeUInt32LE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text), Buffer.from(values.buffer, values.byteOffset, values.byteLength)]);
}
