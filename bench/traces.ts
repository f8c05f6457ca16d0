import { EvmContents } from '../server/src/engine/sources/evm/contents.ts'
import { evmItems } from '../server/src/engine/sources/evm/raw-items.ts'
import { matchBlock } from '../server/src/runtime/follow/match-block.ts'
import { withCalls } from './support/call-blocks.ts'
import { collectGarbage, cpuMsInTurns } from './support/cpu-time.ts'
import { makeBlock } from './support/evm-blocks.ts'
import { mixedFor, triggersFor } from './support/match-entries.ts'
import { makeIndex } from './support/match-registry.ts'
import { printRow } from './support/row.ts'
import { withTraces } from './support/traced-blocks.ts'

/**
 * `npm run bench -- traces`: what the traces of one block cost, against JSON.parse of the reply that holds them: reading
 * them to calls of every depth, and matching the block with 100,000 triggers, half of them on internal calls.
 */
const count = 100_000
const made = makeBlock('made', 1)
const block = withTraces(withCalls(made, 1), 1)
const want = mixedFor([block], triggersFor([made], 'rare'), 'rare')
const index = await makeIndex(count, (at) => {
  const wanted = want(at)
  return 'method' in wanted ? { ...wanted, internal: true } : wanted
})
await collectGarbage()
const [parseMs = 1, readMs = 0, matchMs = 0] = cpuMsInTurns([
  () => () => JSON.parse(block.tracesText),
  () => block.read,
  () => {
    const fresh = block.read()
    return () => matchBlock(fresh, evmItems, index)
  },
])
const { contents } = block.read()
const calls = contents instanceof EvmContents ? (contents.calls?.length ?? 0) : 0
const what = `traces of a block (${calls} calls, ${Math.round(block.tracesText.length / 1024)} KB) against JSON.parse`
printRow({
  ...{ what, part: 'reading', wanted: '–', seen: `${(readMs / parseMs).toFixed(2)} × (${readMs.toFixed(2)} ms)` },
})
printRow({
  ...{ what, part: `matching ${count.toLocaleString('en')} triggers`, wanted: '–' },
  seen: `${(matchMs / parseMs).toFixed(2)} × (${matchMs.toFixed(2)} ms)`,
})
