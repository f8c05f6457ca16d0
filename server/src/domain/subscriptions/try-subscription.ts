import { randomUUID } from 'node:crypto'
import {
  type Issue,
  noTestInput,
  type Severity,
  type SubscriptionTestResult,
  TriggerSave,
  TriggerSpec,
} from '@tocsin/contract'
import type * as z from 'zod'
import type { SourceItem } from '../../engine/base/source-item.ts'
import { type AlertContext, previewAll, previewFor } from '../../engine/destinations/index.ts'
import {
  expandSubscription,
  fanOut,
  makeInterner,
  readMessageNetwork,
  type UnboundListener,
} from '../../engine/fan-out/index.ts'
import { type MessageNetwork, makeAddressBook } from '../../engine/message/index.ts'
import { sampleTick } from '../../engine/sources/timer/timer-item.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import { requireScope } from '../access.ts'
import { fillOwnLists } from '../condition-lists.ts'
import { findPlace } from '../find-source.ts'
import type { Context, Handler } from '../handler.ts'
import { findKeptNames } from '../look-ups.ts'
import { sendTest } from '../send-test.ts'
import { runTryOut, type TryOut, type TryOutScope } from '../try-out.ts'
import { readTriedBinding } from '../try-out-binding.ts'
import { requireOwnSubscription } from './read.ts'

/**
 * Tests a subscription on a sample. Nothing is recorded. With `deliver` the message is really sent, marked as a test.
 */
export const testSubscription: Handler<'testSubscription'> = async (context) => {
  const { account, access, params, body, store, testLimits, now } = context
  requireScope(access, [body.deliver ? 'deliver' : 'write'])
  const { id, workspace } = await requireOwnSubscription(store, account, params.id)
  const test = async () => {
    const outcome: Result = { valid: true, issues: [], results: [], deliveries: [] }
    const targets = await findTargets(context, id)
    if (targets.length === 0) outcome.issues.push({ path: '', message: 'This subscription has no existing trigger.' })
    for (const target of targets) await testTarget(context, target, outcome)
    return { ...outcome, valid: outcome.issues.length === 0 }
  }
  return testLimits.run(account.id, now, test, workspace)
}

/** The triggers of the subscription that its account may see, each with its listener. */
async function findTargets({ store, account, body }: TestContext, id: string): Promise<TestTarget[]> {
  const saved = await store.listeners.findToTest(id)
  if (!saved) return []
  const row = body.overrides ? { ...saved, overrides: JSON.stringify(body.overrides) } : saved
  const [template] = row.template_id === null ? [] : await store.listeners.findTemplates([row.template_id])
  const targets: TestTarget[] = []
  for (const listener of expandSubscription(row, template, makeInterner())) {
    const trigger = await store.triggers.findReadable(listener.trigger, account.id)
    // The lists of a rule belong to the workspace of its template.
    const owner = 'forWorkspace' in listener.trigger ? listener.trigger.forWorkspace : listener.workspaceId
    const conditions = await fillOwnLists(store, owner, listener.conditions)
    if (trigger) targets.push({ listener: { ...listener, conditions }, trigger })
  }
  return targets
}

async function testTarget(context: TestContext, target: TestTarget, outcome: Result): Promise<void> {
  const outputs = await outputsOf(context, target, outcome)
  for (const sample of outputs) outcome.results.push(await resultOf(context, target, sample, outcome))
  const { deliver, always } = context.body
  if (outputs.length === 0 && deliver && always) await sendPlain(context, target, outcome)
}

/** Runs the trigger on its sample. A sample that does not match gives a result without an output. */
async function outputsOf(context: TestContext, target: TestTarget, outcome: Result): Promise<SampleOutput[]> {
  const { listener, trigger } = target
  const read = TriggerSave.safeParse({ ...trigger, ...trigger.definition })
  if (!read.success) {
    addIssue(outcome, target, 'the definition was saved by another version; save it again')
    return []
  }
  const conditions = await fillOwnLists(context.store, trigger.workspace_id, read.data.conditions)
  const definition = { ...read.data, conditions }
  const sample = sampleOf(context, trigger.fullname, definition)
  if (!sample) {
    addIssue(outcome, target, noTestInput)
    return []
  }
  const { deliver, always } = context.body
  const scope = await savedScope(context, trigger)
  const bound = await readTriedBinding(context, definition, sample)
  if (bound.issues.length > 0) {
    for (const { path, message } of bound.issues) addIssue(outcome, target, `${path}: ${message}`)
    return []
  }
  const item = (await bound.open(context, scope)).item(sample)
  const inputs = bound.inputs(listener.inputs)
  const place = await findPlace(context, trigger.data_source, item, scope)
  const { outputs, issues, kind, network } = await runTryOut(
    context,
    TriggerSpec.nullish().parse(bound.triggerSpec) ?? null,
    async (tryOut) => {
      const run = await tryOut.run(definition, { item, inputs })
      // With `always` the message of a sample that does not match is made too, so activation and conditions are left out.
      const isForced = run.kind === 'inactive' && deliver && always
      const shown = isForced
        ? await tryOut.run({ ...definition, activation: null, conditions: null }, { item, inputs })
        : run
      const outputs = shown.kind === 'output' ? shown.outputs : []
      const network = await networkOfSample(tryOut, context, target, { item, inputs, outputs })
      return { kind: run.kind, issues: shown.issues, outputs, network }
    },
    scope,
  )
  for (const { path, message } of issues) addIssue(outcome, target, [path, message].filter(Boolean).join(': '))
  if (outputs.length === 0 && kind !== 'failed') outcome.results.push(emptyResult(target, item))
  return outputs.map((output) => ({ item, place, inputs, output, isMatch: kind === 'output', network }))
}

/** A saved definition runs as in the live loop: with the project's secrets, whichever account subscribed. */
async function savedScope(
  { store, account }: TestContext,
  { id, workspace, project }: WholeTrigger,
): Promise<TryOutScope> {
  const owner = await store.projects.findReadable({ fullname: project }, account.id)
  return { savedTriggerId: id, workspace, isSaved: true, secretsOf: owner?.id }
}

function addIssue(outcome: Result, { trigger }: TestTarget, message: string): void {
  const issue: Issue = { path: trigger.fullname, message }
  outcome.issues.push(issue)
}

function sampleOf({ body, now }: TestContext, trigger: string, { triggerSpec }: TriggerSave): SourceItem | undefined {
  const sent = body.inputs?.[trigger] ?? body.input
  if (sent) return sent
  if (triggerSpec?.type === 'timer') return sampleTick(triggerSpec, now.getTime())
  const given = triggerSpec?.testInput
  return typeof given === 'object' && given !== null ? { ...given } : undefined
}

function emptyResult({ listener, trigger }: TestTarget, input: SourceItem): TestResult {
  const rule = listener.ruleId === '' ? {} : { rule: listener.ruleId }
  return {
    trigger: trigger.fullname,
    ...rule,
    input,
    activated: false,
    conditionsMet: false,
    raw: null,
    human: null,
    previews: [],
    channels: [],
  }
}

async function resultOf(
  context: TestContext,
  target: TestTarget,
  sample: SampleOutput,
  outcome: Result,
): Promise<TestResult> {
  const { item, output, isMatch } = sample
  const { isMet, message, severity, issues } = await fanOutTo(context, target, sample)
  for (const issue of issues) addIssue(outcome, target, issue)
  const alert = { ...makeTestAlert(context, target, output, severity), ...sample.place }
  if (context.body.deliver) await sendToResources(context, target, message, alert, outcome)
  return {
    ...emptyResult(target, item),
    activated: isMatch,
    conditionsMet: isMatch && isMet,
    ...output,
    message,
    severity,
    previews: target.listener.resources.map(({ fullname, blueprint }) => ({
      resource: fullname,
      blueprint,
      body: previewFor(blueprint, message, alert),
    })),
    channels: previewAll(message, alert),
  }
}

/** The sample gives no message. With `always` a plain one is sent, so that people see whether a message arrives. */
async function sendPlain(context: TestContext, target: TestTarget, outcome: Result): Promise<void> {
  const message = {
    title: `Test: ${target.trigger.meta.title}`,
    short: 'This is a test of the destination. The sample of the trigger gives no message.',
  }
  const alert = makeTestAlert(context, target, { raw: null, human: null }, 'info')
  await sendToResources(context, target, message, alert, outcome)
}

/** The message of a test, and how it is sent. */

type TestContext = Context<'testSubscription'>
type Result = z.output<typeof SubscriptionTestResult>
type TestResult = Result['results'][number]
type TestTarget = { listener: UnboundListener; trigger: WholeTrigger }
/** `isMatch` is false for a sample that does not match and is sent because of `always`. */
type SampleOutput = {
  item: SourceItem
  place: Pick<AlertContext, 'network' | 'block' | 'itemAt'>
  /** The inputs of the run: those of the subscription, and the values of the item's binding. */
  inputs: Record<string, unknown>
  output: { raw: unknown; human: unknown }
  isMatch: boolean
  network: MessageNetwork | undefined
}

/** Reads what the messages of the sample show of its source, while the try-out is connected to it. */
function networkOfSample(
  tryOut: TryOut,
  context: TestContext,
  { listener, trigger }: TestTarget,
  { item, inputs, outputs }: Pick<SampleOutput, 'item' | 'inputs'> & { outputs: SampleOutput['output'][] },
): Promise<MessageNetwork | undefined> {
  const { addressOf, connection } = tryOut
  const run = { item, outputs, listeners: [boundListener(listener, inputs)], keepsUnmet: true }
  return readMessageNetwork(subscribedTrigger(trigger), [run], {
    addressOf: () => addressOf(),
    connection: () => connection(),
    tokens: context.engine.tokens,
    findNames: (hashes) => findKeptNames(context, trigger.data_source, hashes),
  })
}

function subscribedTrigger({ fullname, project, meta, definition }: WholeTrigger) {
  const { title, runbook } = meta
  return { fullname, project, title, runbook, definition }
}

function boundListener(listener: UnboundListener, inputs: Record<string, unknown>) {
  return { ...listener, inputs, delivery: { mode: 'continuous' as const, ...listener.delivery } }
}

/** Uses the fan-out of the live loop. An output that does not meet the conditions gives a message too. */
async function fanOutTo(
  { store, account, settings }: TestContext,
  { listener, trigger }: TestTarget,
  { item, inputs, output, network }: SampleOutput,
) {
  const addressBook = makeAddressBook(await store.addresses.listForBooks(account.id, listener.workspaceId))
  const unmet: string[] = []
  const [fannedOut] = fanOut({
    trigger: subscribedTrigger(trigger),
    item,
    source: trigger.data_source,
    outputs: [output],
    listeners: [boundListener(listener, inputs)],
    addressBookOf: () => addressBook,
    network,
    publicUrl: settings.publicUrl,
    keepsUnmet: () => true,
    onIssue: (issue) => void unmet.push(issue),
  })
  if (!fannedOut) throw new Error('One output for one listener must have one result.')
  const rendered = fannedOut.render()
  return { ...rendered, isMet: fannedOut.isMet, issues: [...unmet, ...rendered.issues] }
}

/** A test message has an alert id of its own, so that a receiver does not take it for a real alert. */
function makeTestAlert(
  { now }: TestContext,
  { listener, trigger }: TestTarget,
  output: SampleOutput['output'],
  severity: Severity,
): AlertContext {
  const { fullname, project, workspace } = trigger
  const alertId = `test_${randomUUID()}`
  const json = { rawJson: JSON.stringify(output.raw) ?? 'null', humanJson: JSON.stringify(output.human) ?? 'null' }
  return {
    alertId,
    subscription: listener.subscriptionId,
    workspace,
    project,
    trigger: fullname,
    severity,
    state: null,
    backfilled: false,
    ...json,
    createdAt: now,
  }
}

/** Sends the message to every resource of the listener and records how that went in the result of the test. */
async function sendToResources(
  { store, engine, now }: TestContext,
  { listener }: TestTarget,
  message: NonNullable<TestResult['message']>,
  alert: AlertContext,
  outcome: Result,
): Promise<void> {
  const deps = { ...engine.channels, clock: () => now }
  for (const { id, fullname } of listener.resources) {
    const sent = await sendTest({ store, deps }, id, message, alert)
    const error = sent.kind === 'sent' ? {} : { error: sent.reason }
    outcome.deliveries.push({ resource: fullname, ok: sent.kind === 'sent', ...error, at: now.toISOString() })
  }
}
