import { parseArgs } from 'node:util'
import { cpuMs, cpuMsOnFresh } from './support/cpu-time.ts'
import { freshBlock, makeBlock, readBlocks } from './support/evm-blocks.ts'
import { type Index, makeIndex, matchBlock, transferEvent } from './support/match-block.ts'
import { triggersFor, walletsFor } from './support/match-entries.ts'

/**
 * `npm run bench -- match [--blocks DIR]`: finding, decoding and verifying what concerns anybody in a block, against
 * JSON.parse of that block with its logs, in one run.
 */
const { values } = parseArgs({ options: { blocks: { type: 'string' } } })
const blocks = values.blocks ? readBlocks(values.blocks) : [1, 2, 3].map((seed) => makeBlock(`made ${seed}`, seed))
if (blocks.length === 0) throw new Error(`No folder in ${values.blocks} holds a block.json and a receipts.json`)

for (const { name, blockText, logsText, logs } of blocks)
  console.log(`block ${name}: ${logs.length} logs, ${Math.round((blockText.length + logsText.length) / 1024)} KB`)
for (const amounts of ['common', 'verified', 'rare'] as const)
  for (const count of [1_000, 10_000, 100_000])
    report(`${count} triggers, amounts ${amounts}`, await makeIndex(count, triggersFor(blocks, amounts)))
const wallet = walletsFor(blocks, transferEvent)
for (const count of [1_000, 10_000, 100_000, 1_000_000])
  report(`${count} wallets on one Transfer trigger`, await makeIndex(count, wallet))

function report(what: string, index: Index): void {
  const ratios = blocks.map((block) => {
    const parseMs = cpuMs(() => [JSON.parse(block.blockText), JSON.parse(block.logsText)])
    const fresh = () => freshBlock(block)
    const matchMs = cpuMsOnFresh(fresh, (each) => matchBlock(each, index))
    return `${(matchMs / parseMs).toFixed(2)} × (${matchBlock(fresh(), index)} found)`
  })
  console.log(`${what}: ${ratios.join(', ')}`)
}
