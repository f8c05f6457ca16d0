import { parseArgs } from 'node:util'
import { collectGarbage, cpuMs, cpuMsInTurns } from './support/cpu-time.ts'
import { type EvmBlock, freshBlock, makeBlock, readBlocks } from './support/evm-blocks.ts'
import { makeIndex, matchBlock, transferEvent } from './support/match-block.ts'
import { firstThousand, triggersFor, walletsFor } from './support/match-entries.ts'

/**
 * `npm run bench -- match [--blocks DIR]`: looks up, decodes and verifies the items of a block, and compares the time with
 * JSON.parse of that block and its logs, in one run. First it uses the same block again and again. Then it parses each
 * block again, in turns, as a follower does, so that the processor's cache is cold. The number of hits grows with the
 * number of triggers. To measure the number of triggers alone, the last rows keep the same thousand triggers on the
 * block, and all others name contracts of another chain.
 */
const { values } = parseArgs({ options: { blocks: { type: 'string' } } })
const blocks = values.blocks ? readBlocks(values.blocks) : [1, 2, 3].map((seed) => makeBlock(`made ${seed}`, seed))
if (blocks.length === 0) throw new Error(`No folder in ${values.blocks} holds a block.json and a receipts.json`)

for (const { name, blockText, logsText, logs } of blocks)
  console.log(`block ${name}: ${logs.length} logs, ${Math.round((blockText.length + logsText.length) / 1024)} KB`)
for (const amounts of ['common', 'excepting', 'verified', 'rare'] as const)
  for (const count of [1_000, 10_000, 100_000]) {
    const index = await makeIndex(count, triggersFor(blocks, amounts))
    await report(`${count} triggers, amounts ${amounts}`, (block) => matchBlock(block, index))
  }
const wallet = walletsFor(blocks, transferEvent)
for (const count of [1_000, 10_000, 100_000, 1_000_000]) {
  const index = await makeIndex(count, wallet)
  await report(`${count} wallets on one Transfer trigger`, (block) => matchBlock(block, index))
}

const otherChain = [makeBlock('of another chain', 4)]
for (const amounts of ['common', 'rare'] as const)
  for (const count of [1_000, 10_000, 100_000]) {
    const want = firstThousand(triggersFor(blocks, amounts), triggersFor(otherChain, amounts))
    const index = await makeIndex(count, want)
    await report(`1000 triggers, amounts ${amounts}, and ${count - 1_000} elsewhere`, (block) =>
      matchBlock(block, index),
    )
  }
for (const count of [1_000, 10_000, 100_000, 1_000_000]) {
  const index = await makeIndex(count, firstThousand(wallet, walletsFor(otherChain, transferEvent)))
  await report(`1000 wallets and ${count - 1_000} elsewhere`, (block) => matchBlock(block, index))
}

async function report(what: string, match: (block: ReturnType<typeof freshBlock>) => number): Promise<void> {
  await collectGarbage()
  const ratios = blocks.map((block) => {
    const parse = () => [JSON.parse(block.blockText), JSON.parse(block.logsText)]
    const same = freshBlock(block)
    const again = cpuMs(() => match(same)) / cpuMs(parse)
    const [parseMs = 1, matchMs = 0] = cpuMsInTurns([() => parse, freshly(block, match)])
    return `${again.toFixed(2)} × (cold ${(matchMs / parseMs).toFixed(2)} ×; ${match(same)} hits)`
  })
  console.log(`${what}: ${ratios.join(', ')}`)
}

function freshly(block: EvmBlock, match: (block: ReturnType<typeof freshBlock>) => number) {
  return () => {
    const fresh = freshBlock(block)
    return () => match(fresh)
  }
}
