import type { Conditions, Issue, TriggerSpec } from '@tocsin/contract'
import { compileConditions } from '../../../engine/conditions/index.ts'
import { timerItem } from '../../../engine/sources/timer.ts'
import type { Matcher, SourceItem } from '../../../engine/world.ts'
import type { Context, Handler } from '../../handler.ts'
import { requireReadableSources } from '../sources.ts'
import { readSpec } from './definition.ts'
import { limited } from './handlers.ts'
import { issueOf, type Trial, tryOut } from './trial.ts'

type Search = Context<'findLatestBlock'>['body'] & { conditions?: Conditions | null | undefined }

/** How many blocks are fetched at the same time. */
const stride = 8

/** Back from the head, or from the given block, to the latest block with a matching item. */
export const findLatestBlock: Handler<'findLatestBlock'> = async (context) => {
  const { body, engine } = context
  await requireReadableSources(context, { triggerSpec: body.triggerSpec })
  return limited(context, async () => {
    const spec = await readSpec(body.triggerSpec)
    if (!spec.ok) return unmatched(spec.issues)
    if (spec.value.type === 'timer')
      return { valid: true, issues: [], matched: true, checkedBlocks: 0, input: timerItem(context.now.getTime()) }
    return tryOut(context, spec.value, async (trial) => {
      try {
        const matcher = await engine.prepare(spec.value as TriggerSpec, await trial.kindOf())
        return await search(trial, matcher, body)
      } catch (error) {
        return unmatched([issueOf(error)])
      }
    })
  })
}

async function search(trial: Trial, matcher: Matcher, body: Search) {
  const connection = await trial.connection()
  const latestBlock = (await connection.head()).number
  const from = Math.min(body.fromBlock ?? latestBlock, latestBlock)
  const wanted = itemFilter(body)
  let checkedBlocks = 0
  while (checkedBlocks < body.maxBlocks && from - checkedBlocks >= 0) {
    const numbers = blocksFrom(from - checkedBlocks, Math.min(stride, body.maxBlocks - checkedBlocks))
    const blocks = await Promise.all(numbers.map((number) => connection.block(number, matcher.looksAt)))
    for (const block of blocks) {
      checkedBlocks++
      const items = block ? matcher.match(block) : []
      const itemIndex = items.findIndex(wanted)
      const input = items[itemIndex]
      if (block && input)
        return {
          valid: true,
          issues: [],
          latestBlock,
          matched: true,
          matchedBlock: block.number,
          checkedBlocks,
          sourceEventsCount: items.length,
          itemIndex,
          input,
        }
    }
  }
  return { valid: true, issues: [], latestBlock, matched: false, checkedBlocks }
}

function blocksFrom(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, back) => from - back).filter((number) => number >= 0)
}

function itemFilter({ conditions, filtersSchema, inputs }: Search): (item: SourceItem) => boolean {
  if (!conditions) return () => true
  return compileConditions(conditions, { ...(filtersSchema && { filtersSchema }), ...(inputs && { inputs }) })
}

function unmatched(issues: Issue[]) {
  return { valid: false, issues, matched: false, checkedBlocks: 0 }
}
