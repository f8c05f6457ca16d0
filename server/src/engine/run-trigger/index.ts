/** Runs a trigger on some items: providers, conditions, activation, transform, output schema. Preview, test and production share it. */

import { makePauses } from '../base/event-loop-turns.ts'
import { isObject } from '../base/json.ts'
import { splitOutputSchema } from '../base/read-schema.ts'
import type { SourceItem } from '../base/source-item.ts'
import { checkAgainstSchemas } from '../check/output-schema.ts'
import { contractOf, type TokenTable } from '../message/index.ts'
import { UpstreamError } from '../outbound/upstream-error.ts'
import {
  mentionsNetwork,
  noTimeMs,
  type ScriptContext,
  type ScriptKind,
  type ScriptNetwork,
  type ScriptResult,
} from '../script/index.ts'
import type { Connection } from '../sources/connection.ts'
import type { Connections, Lease, SourceAddress } from '../sources/connections.ts'
import { explorerPatterns, nativeToken } from '../sources/network-facts.ts'
import { collect, forEachRun } from './collect.ts'
import { dropEarly, requireConditions } from './require-conditions.ts'
import {
  fail,
  type OngoingRun,
  type Output,
  type Run,
  type RunContext,
  type RunInput,
  type RunnableTrigger,
} from './run.ts'

export type { Output, Run, RunContext, RunDebug, RunInput, RunnableTrigger } from './run.ts'

export async function runTrigger(
  trigger: RunnableTrigger,
  inputs: readonly RunInput[],
  context: RunContext,
): Promise<Run[]> {
  const runs = inputs.map(startRun)
  const ongoing = () => runs.filter((run) => run.kind === undefined)
  dropEarly(ongoing(), trigger, context)
  await completeItems(ongoing(), trigger, context)
  await collect(ongoing(), trigger, context)
  await requireConditions(ongoing(), trigger, context)
  await activate(ongoing(), trigger, context)
  await transform(ongoing(), trigger, context)
  await checkOutputs(ongoing(), trigger)
  return runs.map(finishRun)
}

async function completeItems(
  runs: OngoingRun[],
  trigger: RunnableTrigger,
  { completeItem, needsMore = () => false }: RunContext,
): Promise<void> {
  const incomplete = runs.filter(({ input }) => needsMore(input.source) && !input.providersData)
  if (!completeItem || incomplete.length === 0) return
  await forEachRun(incomplete, trigger, async (run) => {
    run.input = { ...run.input, source: await completeItem(run.input.source) }
  })
}

/** Only runs whose activation returns a truthy value continue. Without an activation all continue. */
async function activate(runs: OngoingRun[], { activation }: RunnableTrigger, context: RunContext): Promise<void> {
  if (!activation) return
  const script = { kind: 'activation' as const, source: activation.source, path: 'activation' }
  const scriptContext = ({ input, providers }: OngoingRun) => ({
    source: input.source,
    inputs: input.inputs,
    providers,
  })
  for (const { run, value } of await runScript(runs, script, scriptContext, context)) {
    run.debug.activated = Boolean(value)
    if (!value) run.kind = 'inactive'
  }
}

function startRun(input: RunInput): OngoingRun {
  const debug = { providers: {}, logs: [], timings: {}, metrics: { providerCalls: 0, bytes: 0 } }
  return {
    input,
    providers: {},
    outputs: [],
    kind: undefined,
    parking: undefined,
    issues: [],
    isTransient: false,
    isOverload: false,
    debug,
  }
}

function finishRun(run: OngoingRun): Run {
  const { input, kind, outputs, issues, isTransient, isOverload, parking, providers, debug } = run
  if (kind === undefined || kind === 'output')
    return { kind: 'output', outputs, item: input.source, issues, providers, debug }
  if (kind === 'failed') return { kind, isTransient, isOverload, issues, providers, debug }
  if (kind !== 'parked') return { kind, issues, providers, debug }
  if (!parking) throw new Error('a parked run has no state')
  return { kind, parking, issues, providers, debug }
}

/**
 * Fails a run whose output breaks the trigger's own schema, because subscriptions rely on the schema. An output that costs too
 * much to check fails its run too, and the log of the trigger says so.
 */
async function checkOutputs(runs: OngoingRun[], { outputSchema }: RunnableTrigger): Promise<void> {
  if (!outputSchema) return
  const { raw, human } = splitOutputSchema(outputSchema)
  const pause = makePauses()
  for (const run of runs) {
    await pause()
    const all = run.outputs.flatMap((output, index) => {
      const at = run.outputs.length > 1 ? `outputs.${index}` : 'output'
      return [
        { value: output.raw, map: raw, path: `${at}.raw` },
        ...(human ? [{ value: output.human, map: human, path: `${at}.human` }] : []),
      ]
    })
    const issues = checkAgainstSchemas(all)
    if (issues.length > 0) fail(run, ...issues)
  }
}

/** Turns the item into outputs: `raw` for machines, `human` for people. Without a transform the item is both. */
async function transform(runs: OngoingRun[], trigger: RunnableTrigger, context: RunContext): Promise<void> {
  const definition = trigger.transform
  if (!definition) {
    for (const run of runs) run.outputs = [{ raw: run.input.source, human: run.input.source }]
  } else if ('source' in definition && definition.source !== undefined)
    await transformWhole(runs, definition.source, context)
  else await transformParts(runs, definition, context)
}

const scriptContext = ({ input, providers }: OngoingRun) => ({ source: input.source, inputs: input.inputs, providers })

async function transformParts(
  runs: OngoingRun[],
  { rawSource, humanSource }: { rawSource?: string | undefined; humanSource?: string | undefined },
  context: RunContext,
): Promise<void> {
  const raws = rawSource === undefined ? useItems(runs) : await runRaw(runs, rawSource, context)
  for (const { run, value } of raws) {
    if (value === null || value === undefined) run.kind = 'nothing'
    else run.outputs = [{ raw: value, human: value }]
  }
  if (humanSource === undefined) return
  const runsWithOutput = raws.map(({ run }) => run).filter((run) => run.kind === undefined)
  const script = { kind: 'human' as const, source: humanSource, path: 'transform.humanSource' }
  const withRaw = (run: OngoingRun) => ({ ...scriptContext(run), raw: run.outputs[0]?.raw })
  for (const { run, value } of await runScript(runsWithOutput, script, withRaw, context)) {
    run.outputs = [{ raw: run.outputs[0]?.raw, human: value }]
  }
}

function useItems(runs: OngoingRun[]) {
  return runs.map((run) => ({ run, value: run.input.source as unknown }))
}

function runRaw(runs: OngoingRun[], source: string, context: RunContext) {
  return runScript(runs, { kind: 'raw', source, path: 'transform.rawSource' }, scriptContext, context)
}

/** `{outputs: [{raw, human}]}`, `{raw, human}`, or an object that is the raw output. */
async function transformWhole(runs: OngoingRun[], source: string, context: RunContext): Promise<void> {
  const script = { kind: 'source' as const, source, path: 'transform.source' }
  for (const { run, value } of await runScript(runs, script, scriptContext, context)) {
    const outputs = outputsOf(value)
    if (outputs === undefined)
      fail(run, { path: script.path, message: 'must return an object, {raw, human} or {outputs: [{raw, human}]}' })
    else if (outputs.length > context.outputsMax)
      fail(run, { path: script.path, message: tooMany(outputs.length, context.outputsMax) })
    else if (outputs.length === 0) run.kind = 'nothing'
    else run.outputs = outputs
  }
}

/** The whole run fails: alerts for only the first outputs would look complete and would not be. */
function tooMany(count: number, outputsMax: number): string {
  return `returned ${count} outputs for one match; at most ${outputsMax} are allowed`
}

function outputsOf(value: unknown): Output[] | undefined {
  if (value === null || value === undefined) return []
  if (!isObject(value)) return undefined
  if (Array.isArray(value.outputs)) return value.outputs.every(isObject) ? value.outputs.map(outputOf) : undefined
  return [outputOf(value)]
}

function outputOf(value: Record<string, unknown>): Output {
  if (!Object.hasOwn(value, 'raw')) return { raw: value, human: value }
  return { raw: value.raw, human: Object.hasOwn(value, 'human') ? value.human : value.raw }
}

type Failed = Extract<ScriptResult, { ok: false }>

/** Runs one script for all ongoing runs in one batch. A run whose script fails ends with an issue at `path`. */
async function runScript(
  runs: OngoingRun[],
  script: { kind: ScriptKind; source: string; path: string },
  contextOf: (run: OngoingRun) => ScriptContext,
  context: RunContext,
): Promise<{ run: OngoingRun; value: unknown }[]> {
  if (runs.length === 0) return []
  const startedMs = performance.now()
  const nowMs = runs.map((run) => run.input.nowMs ?? noTimeMs)
  const networkOf = mentionsNetwork(script.source) ? await context.networkOf?.(runs.map(itemOf)) : undefined
  const contexts = runs.map((run) => ({ ...contextOf(run), ...(networkOf && { network: networkOf(itemOf(run)) }) }))
  const results = await context.scripts.run(script, contexts, { nowMs })
  const tookMs = (performance.now() - startedMs) / runs.length
  return runs.flatMap((run, index) => recordResult(run, results[index], script.path, tookMs))
}

const itemOf = ({ input }: OngoingRun) => input.source

function recordResult(run: OngoingRun, result: ScriptResult | undefined, path: string, tookMs: number) {
  run.debug.timings[path] = Math.round(tookMs * 1000) / 1000
  if (!result) throw new Error(`No result for ${path}`)
  run.debug.logs.push(...result.logs)
  if (result.ok) return [{ run, value: result.value }]
  run.isOverload = result.kind === 'overloaded'
  run.isTransient = run.isOverload || result.kind === 'crash'
  fail(run, { path, message: messageOf(result) })
  return []
}

function messageOf({ message, line, column }: Failed): string {
  return line === undefined ? message : `line ${line}${column === undefined ? '' : `, column ${column}`}: ${message}`
}

type Providers = RunContext['providers']
type OpenRunOptions = {
  engine: Pick<RunContext, 'scripts' | 'outputsMax'> &
    Pick<Providers, 'door'> & { connections: Connections; tokens: TokenTable }
  /** The trigger's own source; null for a timer and for a stream. */
  ownSource: string | null
  resolve(source: string): Promise<SourceAddress | { refused: string }>
  /** The spec of the trigger, for what its items do not tell. */
  spec?: Readonly<Record<string, unknown>> | null
} & Pick<Providers, 'trigger' | 'boundSource' | 'windows' | 'memo' | 'cache' | 'secrets' | 'parking' | 'askedAtMs'>

/** The context of some runs of one trigger. `close` releases the connections. */
export type OpenedRun = {
  context: RunContext
  /** The trigger's own source, or a named one. Throws an UpstreamError that says why there is none. */
  connection(source?: string): Promise<Connection>
  addressOf(source?: string): Promise<SourceAddress>
  close(): void
}

/** A source is connected when a provider first needs it. Live runs and try-outs open their runs here. */
export function openRun({ engine, ownSource, resolve, spec, ...rest }: OpenRunOptions): OpenedRun {
  const { scripts, door, outputsMax, connections, tokens } = engine
  const shownSource = rest.boundSource ?? undefined
  const leases = new Map<string, Promise<Lease>>()
  const requireName = (source: string | null = ownSource) => {
    if (source === null) throw new UpstreamError('refused', 'The trigger has no data source.')
    return source
  }
  const addressOf = async (source?: string) => {
    const found = await resolve(requireName(source))
    if ('refused' in found) throw new UpstreamError('refused', found.refused)
    return found
  }
  const connection = async (source?: string) => {
    const name = requireName(source)
    const lease = leases.get(name) ?? addressOf(name).then((address) => connections.lease(address))
    leases.set(name, lease)
    return (await lease).connection
  }
  const networkSource = {
    addressOf: () => addressOf(shownSource),
    connection: () => connection(shownSource),
    tokens,
  }
  const networkOf: RunContext['networkOf'] = (items) => readScriptNetwork(networkSource, items)
  const completeItem = async (item: SourceItem) => {
    const error = await explainFailure(() => connection(shownSource), item, spec?.abiFragment)
    return error ? { ...item, error } : item
  }
  return {
    context: {
      scripts,
      outputsMax,
      networkOf,
      needsMore: isUnexplained,
      completeItem,
      providers: { scripts, door, connection, ...rest },
    },
    connection,
    addressOf,
    close() {
      for (const lease of leases.values()) lease.then(({ release }) => release()).catch(() => undefined)
    },
  }
}

/** The own call of a transaction that failed. Traces tell why, receipts do not. */
function isUnexplained({ success, depth, error }: SourceItem): boolean {
  return success === false && depth === 0 && error === undefined
}

/** A message without the reason is better than none, so a node that does not answer fails no run. */
async function explainFailure(
  connection: () => Promise<Connection>,
  item: SourceItem,
  fragment: unknown,
): Promise<Record<string, unknown> | undefined> {
  try {
    return await (await connection()).explainFailure?.(item, fragment)
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}

type Source = { addressOf(): Promise<SourceAddress>; connection(): Promise<Connection>; tokens: TokenTable }

/** Reads what scripts can show of the network of some items. Without the source they show values as they are on the chain. */
async function readScriptNetwork(
  { addressOf, connection, tokens }: Source,
  items: readonly SourceItem[],
): Promise<(item: SourceItem) => ScriptNetwork | undefined> {
  try {
    const address = await addressOf()
    const contracts = items.flatMap((item) => contractOf(item) ?? [])
    const tokenOf = await tokens.load({ address, connection }, contracts)
    const native = nativeToken(address)
    const shared = { explorer: explorerPatterns(address), ...(native && { native }) }
    return (item) => {
      const contract = contractOf(item)
      const token = contract === undefined ? undefined : tokenOf(contract)
      return { ...shared, ...(token && { token }) }
    }
  } catch (error) {
    if (error instanceof UpstreamError) return () => undefined
    throw error
  }
}
