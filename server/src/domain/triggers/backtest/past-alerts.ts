import { type AlertPolicy, type AlertState, backtestAlertsMax, type Policy, type TriggerSave } from '@tocsin/contract'
import { storableTime } from '../../../engine/base/iso-time.ts'
import type { SourceItem } from '../../../engine/base/source-item.ts'
import { fanOut, fillPlaceholders, readItemDecimals } from '../../../engine/fan-out/index.ts'
import { needsUnmet, openPastPolicy, type PastEvent, type PastPolicy } from '../../../engine/policies/past-policy.ts'
import type { Output } from '../../../engine/run-trigger/index.ts'
import type { ChainBlock } from '../../../engine/sources/block.ts'
import type { Connection } from '../../../engine/sources/connection.ts'

type Fired = { number: number; at?: string; fired: number }
type Sample = { block: number; item: SourceItem; raw: unknown; human: unknown }
type PastAlert = {
  state: AlertState | null
  at: string
  block: number | null
  key?: string
  policy: AlertPolicy | null
}

/** What a subscription would have got: each output that meets its conditions, or what its policy makes of them. */
export type AlertCounts = {
  fired: number
  resolved?: number
  blocks: Fired[]
  alerts?: PastAlert[]
  samples: Sample[]
}
export type PastAlerts = {
  /** The time of the first block. */
  begin(ms: number): void
  add(block: ChainBlock, item: SourceItem, outputs: readonly Output[]): Promise<void>
  /** The time of the last block. */
  end(ms: number): void
  fired(): number
  result(): AlertCounts
}

type Asked = {
  inputs: Record<string, unknown>
  conditions: TriggerSave['conditions']
  policy: Policy | undefined
  samples: number
  connection(): Promise<Connection>
  onIssue(path: string, message: string): void
}
/** The output that an event rests on. */
type Of = { sample: Sample; timestampMs: number | undefined }

export function makePastAlerts(definition: TriggerSave, asked: Asked): PastAlerts {
  const { policy, outputsOf } = subscriptionOf(definition, asked)
  const blocks = new Map<number, Fired>()
  const [alerts, samples]: [PastAlert[], Sample[]] = [[], []]
  let [fired, resolved, added] = [0, 0, 0]
  let past: PastPolicy<Of> = openPastPolicy(policy, 0)
  const record = (event: PastEvent<Of>) => {
    const { state, atMs, key, of } = event
    const block = of?.sample.block ?? null
    if (asked.policy !== undefined)
      alerts.push({ state, at: storableTime(atMs), block, ...(key !== '' && { key }), policy: event.policy })
    if (state === 'resolved') resolved += 1
    else {
      fired += 1
      if (of) countBlock(blocks, of)
      if (of) keepSample(samples, of.sample, asked)
    }
  }
  return {
    begin(ms) {
      past = openPastPolicy(policy, ms)
    },
    async add(block, item, outputs) {
      for (const { output, isMet, compiled } of await outputsOf(item, outputs)) {
        added += 1
        const { raw, human } = output
        const of = { sample: { block: block.number, item, raw, human }, timestampMs: block.timestampMs }
        const [key, value] = [compiled.policyKey(raw), compiled.policyValue(raw)]
        for (const event of past.add({ id: `${added}`, atMs: block.timestampMs ?? 0, key, value, isMet, of }))
          record(event)
      }
    },
    end(ms) {
      for (const event of past.end(ms)) record(event)
      const issue = past.issue()
      if (issue !== undefined) asked.onIssue('policy', issue)
    },
    fired: () => fired,
    result: () => ({
      ...{ fired, blocks: [...blocks.values()].sort((a, b) => a.number - b.number) },
      ...(asked.policy === undefined
        ? { samples }
        : { resolved, alerts: newestFirst(alerts), samples: samples.toReversed() }),
    }),
  }
}

function countBlock(blocks: Map<number, Fired>, { sample, timestampMs }: Of): void {
  const number = sample.block
  const at = timestampMs === undefined ? {} : { at: storableTime(timestampMs) }
  blocks.set(number, { number, ...at, fired: (blocks.get(number)?.fired ?? 0) + 1 })
}

/** The first ones without a policy, the last ones with one. */
function keepSample(samples: Sample[], sample: Sample, { samples: max, policy }: Asked): void {
  if (samples.length < max || policy !== undefined) samples.push(sample)
  if (samples.length > max) samples.shift()
}

function newestFirst(alerts: readonly PastAlert[]): PastAlert[] {
  // Of two at the same time the later one comes first too.
  const reversed = alerts.toReversed().sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  return reversed.slice(0, backtestAlertsMax)
}

/** A subscription with these inputs, conditions and policy, and the outputs that the fan-out of the live loop gives it. */
function subscriptionOf(definition: TriggerSave, { inputs, conditions, policy = null, connection, onIssue }: Asked) {
  const { fullname, project, meta, defaults, filtersSchema } = definition
  const trigger = { fullname, project, title: meta.title, definition: { defaults, filtersSchema } }
  const listener = {
    key: 'backtest',
    accountId: '',
    inputs,
    conditions: conditions ?? null,
    policy: policy && fillPlaceholders(policy, inputs),
    delivery: { mode: 'continuous' as const },
    overrides: {},
  }
  const work = { trigger, source: null, listeners: [listener], addressBookOf: () => undefined, publicUrl: '' }
  const keepsUnmet = () => needsUnmet(listener.policy)
  const outputsOf = async (item: SourceItem, outputs: readonly Output[]) => {
    const itemDecimals = await readItemDecimals(trigger, item, [listener], connection)
    return fanOut({
      ...work,
      item,
      itemDecimals,
      outputs,
      keepsUnmet,
      onIssue: (message) => onIssue('conditions', message),
    })
  }
  return { policy: listener.policy, outputsOf }
}
