// ONNX Runtime's side of workload e: node ort_side.js PACKAGE MODEL THREADS. It speaks as `bench_engine serve` does.
//   PACKAGE   the folder of onnxruntime-node
"use strict";

const readline = require("readline");

const [ortPath, modelPath, threads] = process.argv.slice(2);
const ort = require(require("path").resolve(ortPath));

const kLength = 128;
const kVocabulary = 50257;
const kFirstSteps = 10;

// As bench/engine/numbers.cpp draws them.
function tokens() {
  let place = 2166136261;
  for (const byte of Buffer.from("tokens")) place = Math.imul(place ^ byte, 16777619);
  const result = new BigInt64Array(kLength);
  for (let k = 0; k < kLength; ++k) {
    let bits = (place + k) >>> 0;
    bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d) >>> 0;
    bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b) >>> 0;
    result[k] = BigInt(((bits ^ (bits >>> 16)) >>> 0) % kVocabulary);
  }
  return result;
}

function meanOfSquares(values) {
  let sum = 0;
  for (const value of values) sum += value * value;
  return sum / values.length;
}

function answer(line) {
  process.stdout.write(JSON.stringify(line) + "\n");
}

async function main() {
  const session = await ort.InferenceSession.create(modelPath, {
    intraOpNumThreads: Number(threads),
    interOpNumThreads: 1,
    graphOptimizationLevel: "all",
  });
  const feeds = { tokens: new ort.Tensor("int64", tokens(), [1, kLength]) };
  const values = [];
  for (let step = 0; step < kFirstSteps; ++step) {
    values.push(meanOfSquares((await session.run(feeds)).logits.data));
  }
  answer({ values });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const steps = Number(line.split(" ")[1]);
    await session.run(feeds);
    const times = [];
    for (let step = 0; step < steps; ++step) {
      const start = process.hrtime.bigint();
      await session.run(feeds);
      times.push(Number(process.hrtime.bigint() - start) / 1e6);
    }
    answer({ ms: times });
  }
}

main().catch((error) => {
  process.stderr.write(String(error) + "\n");
  process.exit(1);
});
