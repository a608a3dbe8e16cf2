import { cpus, totalmem } from 'node:os';

const number = (value, digits = 0) => value.toFixed(digits);
const kept = (value, limit) => (value <= limit ? 'kept' : '**NOT KEPT**');
const row = (cells) => `| ${cells.join(' | ')} |`;

// Where turns without a client differ by more than the limit, the clock cannot tell.
const costVerdict = ({ clock }) => (clock.noise > 0.03 ? 'undecided: the machine was busy' : kept(clock.cost, 0.03));

// What was promised, with its limit and what was measured.
function rows({ opening, gradient, frames, expanding, crowd, cost }) {
  return [
    ['page usable after opening it, with an empty cache', '2,000 ms', `${number(opening.median)} ms (slowest of ${opening.times}: ${number(opening.worst)} ms)`, kept(opening.median, 2000)],
    ['GPT-2 124M with its gradient shown, collapsed', '1,500 ms', `${number(gradient.median)} ms (slowest of ${gradient.times}: ${number(gradient.worst)} ms)`, kept(gradient.median, 1500)],
    ['pan and zoom, median frame', '16.7 ms', `${number(frames.median, 1)} ms`, kept(Number(number(frames.median, 1)), 16.7)],
    ['pan and zoom, 95 of 100 frames', '33 ms', `${number(frames.p95, 1)} ms`, kept(frames.p95, 33)],
    ['expanding a block', '200 ms', `${number(expanding.median)} ms (slowest of ${expanding.times}: ${number(expanding.worst)} ms)`, kept(expanding.median, 200)],
    ['cost to training workload c, one compute thread, one page that looks', '3 %', `${number(100 * cost.clock.cost, 1)} % by the clock, ${number(100 * cost.processor.cost, 1)} % of processor time`, costVerdict(cost)],
    ['rate that training workload c keeps with ten viewers at the limit of messages', 'at least 97 %', `${number(100 * crowd.rate_kept, 1)} %`, crowd.rate_kept >= 0.97 ? 'kept' : '**NOT KEPT**'],
    ['longest wait of these viewers for an answer', '2 s', `${number(crowd.longest_answer_s, 2)} s; ${crowd.unanswered} without an answer`, kept(crowd.unanswered > 0 ? Infinity : crowd.longest_answer_s, 2)],
  ];
}

export function pageOf(figures) {
  const { frames, gradient, crowd, cost } = figures;
  const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, ${number(totalmem() / 1e9)} GB of memory`;
  return `# Benchmarks of the Lab

Written by \`make bench-lab\`.

Machine: ${machine}; program and browser share it. ${figures.browser}.

| what | limit | measured | |
|---|--:|--:|---|
${rows(figures).map(row).join('\n')}

Without a client no tap executable is built and no message made: [watching_test.cpp](../tests/lab_hub/watching_test.cpp) counts them
(\`Watching.WithoutClientsMakesNoFramesAndWatchesNothing\`). No test asserts a time.

## How it is measured

- **Where the clock stands.** [web/bench](../web/bench) drives the program itself in a browser. Times are taken inside the page, by its own clock, to the frame
  after the one in which what was waited for is in the document.
- **Opening.** \`asg lab\` on its classifier of digits. From the beginning of the navigation to the first node on the screen with *Run* enabled; each time in a new
  browser context, so that nothing is cached. The median counts.
- **GPT-2.** \`asg lab gpt2\` on Moby-Dick: 124 million parameters, all dims known, ${gradient.primitives.toLocaleString('en')} nodes in the training step. From the click on *Gradient* in a
  program whose gradient view nobody has asked for yet, to its nodes on the screen. The median counts.
- **Frames.** The same model with the training paused and blocks opened until ${frames.least_nodes} to ${frames.most_nodes} nodes are rendered (at most 300 are allowed). While the mouse drags the graph about and
  the wheel zooms in and out, the page notes the time between animation frames: ${frames.frames.toLocaleString('en')} of them. Headless Chromium draws 60 in a second at most.
- **Expanding.** From the click on a block of GPT-2 that was not open before to its inside on the screen; the level comes from the program.
- **Cost.** [bench/lab](../bench/lab/main.cpp): workload c of the [benchmarks](benchmarks.md) behind a whole Lab. Turns of ${cost.turn_seconds} s without a client and with one follow each other, ${cost.turns} of each. The
  client asks for what the page asks for: statistics with gradients of two values, and after each of them a tensor, at most once in a second. A step takes ${number(cost.clock.alone_ms, 2)} ms alone and ${number(cost.clock.watched_ms, 2)} ms with the client, who gets
  ${number(cost.readings_per_second, 2)} readings and ${number(cost.tensors_per_second, 2)} tensors in a second. The cost is the median over the turns, each against its neighbours; neighbours without a client differ by ${number(100 * cost.clock.noise, 1)} %. By the
  processor time of the thread that trains, which other work on the machine disturbs less, it is ${number(100 * cost.processor.cost, 1)} % (neighbours differ by ${number(100 * cost.processor.noise, 1)} %).
  The longest step while the client came, when what it watches is compiled, took ${number(cost.opening_ms)} ms.
- **Viewers.** The same training with ${crowd.viewers} read-only clients on the last core, who each ask 190 times in a second: values, tensors, statistics with gradients, levels, plans, journal, history, costs.
  ${crowd.pairs} pairs of turns of ${crowd.turn_seconds} s, without them and with them; the median of the rate that is kept counts. Of ${crowd.asked.toLocaleString('en')} questions ${crowd.refused.toLocaleString('en')} were turned away since their time was used up;
  the viewer who got fewest had ${crowd.fewest_readings_of_a_viewer} readings in a turn.
`;
}
