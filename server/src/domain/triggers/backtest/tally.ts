import {
  type Condition,
  type Issue,
  isTriggerCondition,
  type Policy,
  type TriggerSave,
  TriggerSpec,
} from '@tocsin/contract'
import { makePauses } from '../../../engine/base/event-loop-turns.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import { compileEarlyFilter } from '../../../engine/conditions/trigger-conditions.ts'
import { needsUnmet } from '../../../engine/policies/past-policy.ts'
import type { Run } from '../../../engine/run-trigger/index.ts'
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
import { type AlertCounts, makePastAlerts, type PastAlerts } from './past-alerts.ts'

export type TallyResult = AlertCounts & RunCounts
/** The results of one definition over the blocks so far. */
export type Tally = {
  /** The issues that keep the definition from running at all. */
  unusable: Issue[]
  /** Absent if the definition cannot run. */
  trigger?: OneTrigger
  /** How many of its providers read something for each item. */
  providers: number
  /** The times of the first and of the last block: policies count time between them. */
  begin(ms: number): void
  count(blocks: readonly ChainBlock[]): Promise<void>
  end(ms: number): void
  fired(): number
  result(): TallyResult
}
type BacktestRequest = {
  inputs?: Record<string, unknown> | undefined
  conditions?: Condition | null | undefined
  policy?: Policy | undefined
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
  const counts: RunCounts = { matched: 0, failed: 0, issues: [] }
  const { store, account, settings } = means.caller
  const read = await readDefinitionInTurn(account.id, candidate.definition, settings.limits)
  if (!read.ok) return unusable(read.issues)
  const bound = await readTriedBinding(means.caller, { ...candidate.definition, binding: means.body.binding })
  if (bound.issues.length > 0) return unusable(bound.issues)
  const spec = TriggerSpec.safeParse(bound.triggerSpec).data
  if (!spec || !('dataSource' in spec) || spec.dataSource !== means.spec.dataSource)
    return unusable([{ path: 'triggerSpec', message: 'reads another source' }])
  const own = await fillReadableLists(store, account, read.definition.conditions, 'conditions')
  const asked = await fillReadableLists(store, account, means.body.conditions, 'conditions')
  const missing = [...own.issues, ...asked.issues]
  if (missing.length > 0) return unusable(missing)
  const { fields } = await bound.open(means.caller)
  const trigger = await prepareOneTrigger(means.chain, spec, fields)
  await addSavedMembers(means.caller.store, trigger, means.savedId, spec.dataSource)
  const { samples, policy } = means.body
  const inputs = bound.inputs(means.body.inputs)
  const filled = { ...read.definition, conditions: own.condition }
  const { definition, conditions } = withTriggerConditions(filled, asked.condition)
  const options = { inputs, ...(definition.filtersSchema && { filtersSchema: definition.filtersSchema }) }
  const isEarly = compileEarlyFilter(needsUnmet(policy ?? null) ? null : conditions, options)
  const onIssue = (path: string, message: string) => noteIssues(counts, [{ path, message }])
  const connection = () => means.tryOut.connection()
  const alerts = makePastAlerts(definition, { inputs, conditions, policy, samples, connection, onIssue })
  const runItems = (items: SourceItem[]) =>
    means.tryOut.runAll(
      definition,
      items.map((item) => ({ item, inputs })),
    )
  let impossible: Issue[] = []
  return {
    unusable: [],
    trigger,
    providers: definition.providers.filter(({ type }) => type !== 'javascript' && type !== 'state_window').length,
    begin: alerts.begin,
    end: alerts.end,
    fired: alerts.fired,
    result() {
      const { matched, failed, issues } = counts
      const all = matched === 0 ? [...issues, ...impossible] : issues
      return { matched, failed, ...alerts.result(), issues: all }
    },
    async count(blocks) {
      for (const block of blocks) {
        const items = trigger.match(block)
        counts.matched += items.length
        if (items.length === 0) impossible = trigger.items.issuesIn?.(block) ?? []
        const wanted = items.filter(isEarly)
        if (wanted.length > 0) await record({ counts, alerts }, block, wanted, await runItems(wanted))
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

type RunCounts = { matched: number; failed: number; issues: Issue[] }

async function record(
  { counts, alerts }: { counts: RunCounts; alerts: PastAlerts },
  block: ChainBlock,
  items: readonly SourceItem[],
  runs: readonly Run[],
): Promise<void> {
  const pause = makePauses()
  for (const [index, run] of runs.entries()) {
    if (run.kind === 'failed') {
      counts.failed++
      noteIssues(counts, run.issues)
    }
    await pause()
    const item = items[index]
    if (run.kind === 'output' && item) await alerts.add(block, item, run.outputs)
  }
}

function noteIssues({ issues }: RunCounts, found: readonly Issue[]): void {
  issues.push(...found.slice(0, Math.max(0, issuesMax - issues.length)))
}

function unusable(issues: Issue[]): Tally {
  return {
    unusable: issues,
    providers: 0,
    begin: () => undefined,
    count: async () => {},
    end: () => undefined,
    fired: () => 0,
    result: () => ({ matched: 0, fired: 0, failed: 0, blocks: [], samples: [], issues }),
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
export async function findCandidates({
  account,
  body,
  store,
}: Pick<Context<'backtestTrigger'>, 'account' | 'body' | 'store'>): Promise<Candidates> {
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
