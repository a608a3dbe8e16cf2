// Compares the tokenisers of ASG with the library `tokenizers` of Hugging Face. tools/peers/tokenisers.sh calls it.
//   node tokenisers.js fixture FOLDER              writes expected.json for the cases of the unit tests
//   node tokenisers.js compare WORK ASG BENCH NASTY  compares ids and texts, and times both; fails on a difference
'use strict'
const fs = require('fs')
const path = require('path')
const {execFileSync} = require('child_process')
const {Tokenizer} = require('tokenizers')

// RFC 7396: null removes a key.
function patched(target, patch) {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch
  const result = target !== null && typeof target === 'object' && !Array.isArray(target) ? {...target} : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else result[key] = patched(result[key], value)
  }
  return result
}

// FNV-1a of bytes, in hexadecimal digits.
function hash(bytes) {
  let value = 0xcbf29ce484222325n
  for (const byte of bytes) value = ((value ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
  return value.toString(16).padStart(16, '0')
}
const hashIds = (ids) => hash(Buffer.from(Uint32Array.from(ids).buffer))

async function writeFixture(folder) {
  const text = fs.readFileSync(path.join(folder, 'nasty.txt'), 'utf8')
  const expected = {}
  for (const {name, base, patch} of JSON.parse(fs.readFileSync(path.join(folder, 'cases.json')))) {
    const file = JSON.parse(fs.readFileSync(path.join(folder, base)))
    const tokenizer = Tokenizer.fromString(JSON.stringify(patched(file, patch)))
    const ids = (await tokenizer.encode(text)).getIds()
    const lines = []
    for (const line of text.split('\n')) lines.push(hashIds((await tokenizer.encode(line)).getIds()))
    const decoded = hash(Buffer.from(await tokenizer.decode(ids, false)))
    const plain = hash(Buffer.from(await tokenizer.decode(ids, true)))
    expected[name] = {count: ids.length, ids: hashIds(ids), decoded, plain, lines}
  }
  fs.writeFileSync(path.join(folder, 'expected.json'), JSON.stringify(expected, null, 1) + '\n')
}

async function milliseconds(run) {
  let best = Infinity
  for (let k = 0; k < 5; ++k) {
    const begin = process.hrtime.bigint()
    await run()
    best = Math.min(best, Number(process.hrtime.bigint() - begin) / 1e6)
  }
  return best
}

async function compare(work, asg, bench, nasty) {
  const moby = path.join(work, 'moby-dick', 'data', 'data.txt')
  const run = (program, words) => execFileSync(program, words, {maxBuffer: 1 << 30})
  const models = fs.readdirSync(path.join(work, 'tokenisers')).sort()
  let failed = 0
  console.log('tokeniser      text        tokens   ids    text   ASG ms  oracle ms  ratio')
  for (const model of models) {
    const folder = path.join(work, 'tokenisers', model)
    const file = path.join(folder, 'tokenizer.json')
    const oracle = Tokenizer.fromFile(file)
    for (const text of [nasty, moby]) {
      const content = fs.readFileSync(text, 'utf8')
      const ids = (await oracle.encode(content)).getIds()
      const ours = JSON.parse(run(asg, ['tokens', 'encode', '-t', folder, '--json', text])).ids
      const ids_file = path.join(work, 'ids.json')
      fs.writeFileSync(ids_file, JSON.stringify(ids))
      const back = run(asg, ['tokens', 'decode', '-t', folder, ids_file]).toString('utf8')
      const same_ids = ids.length === ours.length && ids.every((id, k) => id === ours[k])
      const same_text = back === (await oracle.decode(ids, false))
      if (!same_ids || !same_text) ++failed
      const own = JSON.parse(run(bench, ['--json', folder, text])).milliseconds
      const theirs = await milliseconds(() => oracle.encode(content))
      console.log([model.padEnd(14), path.basename(path.dirname(text)) === 'data' ? 'moby-dick ' : 'nasty     ',
        String(ids.length).padStart(7), same_ids ? ' equal ' : ' DIFFER', same_text ? 'equal ' : 'DIFFER',
        own.toFixed(2).padStart(8), theirs.toFixed(2).padStart(10), (theirs / own).toFixed(1).padStart(6)].join(' '))
    }
  }
  if (failed > 0) process.exit(1)
}

const [command, ...words] = process.argv.slice(2)
const commands = {fixture: writeFixture, compare}
commands[command](...words).catch((error) => {
  console.error(error)
  process.exit(1)
})
