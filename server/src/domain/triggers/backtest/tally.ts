import { type Condition, type Issue, isTriggerCondition, type TriggerSave, TriggerSpec } from '@tocsin/contract'
import { makePauses } from '../../../engine/base/event-loop-turns.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import { compileEarlyFilter } from '../../../engine/conditions/trigger-conditions.ts'
import { fanOut } from '../../../engine/fan-out/index.ts'
import type { Output, Run } from '../../../engine/run-trigger/index.ts'
import type { ChainBlock } from '../../../engine/sources/block.ts'
import type { Chain } from '../../../engine/sources/chain.ts'
import { type OneTrigger, prepareOneTrigger } from '../../../engine/sources/one-trigger.ts'
import { readDefinitionInTurn } from '../../../engine/threads/index.ts'
import { requireRank, requireReadableTrigger } from '../../access.ts'
import { fillReadableLists } from '../../condition-lists.ts'
import type { Caller } from '../../find-source.ts'
import type { Context } from '../../handler.ts'
import { requireTryOutScope, type TryOut, type TryOutScope } from '../../try-out.ts'
import { readTriedBinding } from '../../try-out-binding.ts'
import { payloadOf } from '../content.ts'
import { addSavedMembers } from '../try-outs/learn-members.ts'

type Fired = { number: number; at?: string; fired: number }
type Sample = { block: number; item: SourceItem; raw: unknown; human: unknown }
export type TallyResult = {
  matched: number
  fired: number
  failed: number
  blocks: Fired[]
  samples: Sample[]
  issues: Issue[]
}
/** The results of one definition over the blocks so far. */
export type Tally = {
  /** The issues that keep the definition from running at all. */
  unusable: Issue[]
  /** Absent if the definition cannot run. */
  trigger?: OneTrigger
  count(blocks: readonly ChainBlock[]): Promise<void>
  fired(): number
  result(): TallyResult
}
type BacktestRequest = {
  inputs?: Record<string, unknown> | undefined
  conditions?: Condition | null | undefined
  binding?: string | undefined
  samples: number
}
type Means = {
  tryOut: TryOut
  caller: Caller
  savedId: string | undefined
  body: BacktestRequest
  chain: Chain
  /** A draft is compared on the blocks of the published trigger's source. */
  spec: Extract<TriggerSpec, { dataSource: string }>
}

const issuesMax = 20

export async function makeTally(candidate: Candidate, means: Means): Promise<Tally> {
  const result: TallyResult = { matched: 0, fired: 0, failed: 0, blocks: [], samples: [], issues: [] }
  const { store, account, settings } = means.caller
  const read = await readDefinitionInTurn(account.id, candidate.definition, settings.limits)
  if (!read.ok) return unusable(result, read.issues)
  const bound = await readTriedBinding(means.caller, { ...candidate.definition, binding: means.body.binding })
  if (bound.issues.length > 0) return unusable(result, bound.issues)
  const spec = TriggerSpec.safeParse(bound.triggerSpec).data
  if (!spec || !('dataSource' in spec) || spec.dataSource !== means.spec.dataSource)
    return unusable(result, [{ path: 'triggerSpec', message: 'reads another source' }])
  const own = await fillReadableLists(store, account, read.definition.conditions, 'conditions')
  const asked = await fillReadableLists(store, account, means.body.conditions, 'conditions')
  const missing = [...own.issues, ...asked.issues]
  if (missing.length > 0) return unusable(result, missing)
  const { fields } = await bound.open(means.caller)
  const trigger = await prepareOneTrigger(means.chain, spec, fields)
  await addSavedMembers(means.caller.store, trigger, means.savedId, spec.dataSource)
  const { samples } = means.body
  const inputs = bound.inputs(means.body.inputs)
  const filled = { ...read.definition, conditions: own.condition }
  const { definition, conditions } = withTriggerConditions(filled, asked.condition)
  const options = { inputs, ...(definition.filtersSchema && { filtersSchema: definition.filtersSchema }) }
  const isEarly = compileEarlyFilter(conditions, options)
  const metOutputs = outputsFor(definition, { inputs, conditions })
  const runItems = (items: SourceItem[]) =>
    means.tryOut.runAll(
      definition,
      items.map((item) => ({ item, inputs })),
    )
  let impossible: Issue[] = []
  return {
    unusable: [],
    trigger,
    fired: () => result.fired,
    result: () => (result.matched === 0 ? { ...result, issues: [...result.issues, ...impossible] } : result),
    async count(blocks) {
      for (const block of blocks) {
        const items = trigger.match(block)
        result.matched += items.length
        if (items.length === 0) impossible = trigger.items.issuesIn?.(block) ?? []
        const wanted = items.filter(isEarly)
        if (wanted.length > 0) await record(result, block, wanted, await runItems(wanted), metOutputs, samples)
      }
    },
  }
}

/** Conditions of a trigger are joined to those of the definition. */
function withTriggerConditions(definition: TriggerSave, conditions: Condition | null = null) {
  if (!conditions || !isTriggerCondition(conditions)) return { definition, conditions }
  const all = definition.conditions ? [definition.conditions, conditions] : [conditions]
  return { definition: { ...definition, conditions: { all } }, conditions: null }
}

async function record(
  result: TallyResult,
  block: ChainBlock,
  items: SourceItem[],
  runs: Run[],
  metOutputs: MetOutputs,
  samplesMax: number,
): Promise<void> {
  let fired = 0
  const onIssue = (message: string) => {
    if (result.issues.length < issuesMax) result.issues.push({ path: 'conditions', message })
  }
  const pause = makePauses()
  for (const [index, run] of runs.entries()) {
    if (run.kind === 'failed') {
      result.failed++
      result.issues.push(...run.issues.slice(0, Math.max(0, issuesMax - result.issues.length)))
    }
    await pause()
    const item = items[index]
    const outputs = run.kind === 'output' && item ? metOutputs(run.outputs, item, onIssue) : []
    fired += outputs.length
    for (const { raw, human } of outputs)
      if (item && result.samples.length < samplesMax) result.samples.push({ block: block.number, item, raw, human })
  }
  result.fired += fired
  if (fired === 0) return
  const at = block.timestampMs === undefined ? {} : { at: new Date(block.timestampMs).toISOString() }
  result.blocks.push({ number: block.number, ...at, fired })
}

type MetOutputs = (outputs: readonly Output[], item: SourceItem, onIssue: (message: string) => void) => Output[]

/** The outputs that a subscription with these inputs and conditions would get, from the fan-out of the live loop. */
function outputsFor(definition: TriggerSave, request: Pick<BacktestRequest, 'inputs' | 'conditions'>): MetOutputs {
  const { fullname, project, meta, defaults, filtersSchema } = definition
  const trigger = { fullname, project, ...meta, definition: { defaults, filtersSchema } }
  const listener = {
    key: 'backtest',
    accountId: '',
    inputs: request.inputs ?? {},
    conditions: request.conditions ?? null,
    policy: null,
    delivery: { mode: 'continuous' as const },
    overrides: {},
  }
  const work = { trigger, source: null, listeners: [listener], addressBookOf: () => undefined, publicUrl: '' }
  return (outputs, item, onIssue) => fanOut({ ...work, item, outputs, onIssue }).map(({ output }) => output)
}

function unusable(result: TallyResult, issues: Issue[]): Tally {
  return {
    unusable: issues,
    count: async () => {},
    fired: () => 0,
    result: () => ({ ...result, issues }),
  }
}

/** The blocks in which only one of the two would have fired, or the two a different number of times. */
export function difference(published: TallyResult, draft: TallyResult) {
  const more = (one: TallyResult, other: TallyResult) => {
    const counts = new Map(other.blocks.map(({ number, fired }) => [number, fired]))
    return one.blocks.filter(({ number, fired }) => fired > (counts.get(number) ?? 0)).map(({ number }) => number)
  }
  return { onlyPublished: more(published, draft), onlyDraft: more(draft, published) }
}

/** A definition to run: the given one, or a saved trigger and its draft, if there is one. */
export type Candidate = { name: 'published' | 'draft'; definition: Definition }
/** `savedId` is the id of a saved trigger. */
export type Candidates = { candidates: Candidate[]; scope: TryOutScope; savedId?: string }
type Definition = Record<string, unknown> & {
  triggerSpec?: Record<string, unknown> | null
  providers?: Record<string, unknown>[]
}

/** A saved trigger runs with its own secrets, so only its developers may run it. */
export async function findCandidates({ account, body, store }: Context<'backtestTrigger'>): Promise<Candidates> {
  if (body.fullname === undefined)
    return {
      candidates: [{ name: 'published', definition: { ...body.definition } }],
      scope: await requireTryOutScope(store, account, body.project),
    }
  const row = await requireReadableTrigger(store, account, body.fullname)
  requireRank(row.level, 'developer')
  const saved = payloadOf(row)
  const draft = await store.triggerDrafts.findReadable(row.fullname, account.id)
  const candidates: Candidate[] = [
    { name: 'published', definition: saved },
    ...(draft ? [{ name: 'draft' as const, definition: { ...saved, ...draft.content } }] : []),
  ]
  return { candidates, scope: await requireTryOutScope(store, account, row.project), savedId: row.id }
}
