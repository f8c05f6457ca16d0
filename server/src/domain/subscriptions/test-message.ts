import { randomUUID } from 'node:crypto'
import type { Severity, SubscriptionTestResult } from '@tocsin/contract'
import type * as z from 'zod'
import type { SourceItem } from '../../engine/base/source-item.ts'
import type { AlertContext } from '../../engine/destinations/index.ts'
import { fanOut, readMessageNetwork, type UnboundListener } from '../../engine/fan-out/index.ts'
import { type MessageNetwork, makeAddressBook } from '../../engine/message/index.ts'
import type { WholeTrigger } from '../../store/triggers/triggers.ts'
import type { Context } from '../handler.ts'
import { sendTest } from '../send-test.ts'
import type { TryOut } from '../try-out.ts'

/** The message of a test, and how it is sent. */

export type TestContext = Context<'testSubscription'>
export type Result = z.output<typeof SubscriptionTestResult>
export type TestResult = Result['results'][number]
export type TestTarget = { listener: UnboundListener; trigger: WholeTrigger }
/** `isMatch` is false for a sample that does not match and is sent because of `always`. */
export type SampleOutput = {
  item: SourceItem
  /** The inputs of the run: those of the subscription, and the values of the item's binding. */
  inputs: Record<string, unknown>
  output: { raw: unknown; human: unknown }
  isMatch: boolean
  network: MessageNetwork | undefined
}

/** Reads what the messages of the sample show of its source, while the try-out is connected to it. */
export function networkOfSample(
  tryOut: TryOut,
  { engine }: TestContext,
  { listener, trigger }: TestTarget,
  { item, inputs, outputs }: Pick<SampleOutput, 'item' | 'inputs'> & { outputs: SampleOutput['output'][] },
): Promise<MessageNetwork | undefined> {
  const { addressOf, connection } = tryOut
  const run = { item, outputs, listeners: [boundListener(listener, inputs)], keepsUnmet: true }
  return readMessageNetwork(subscribedTrigger(trigger), [run], {
    addressOf: () => addressOf(),
    connection: () => connection(),
    tokens: engine.tokens,
  })
}

function subscribedTrigger({ fullname, project, meta, definition }: WholeTrigger) {
  return { fullname, project, title: meta.title, definition }
}

function boundListener(listener: UnboundListener, inputs: Record<string, unknown>) {
  return { ...listener, inputs, delivery: { mode: 'continuous' as const, ...listener.delivery } }
}

/** Uses the fan-out of the live loop. An output that does not meet the conditions gives a message too. */
export async function fanOutTo(
  { store, account, settings }: TestContext,
  { listener, trigger }: TestTarget,
  { item, inputs, output, network }: SampleOutput,
) {
  const addressBook = makeAddressBook(await store.addresses.listForBook(account.id))
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
export function makeTestAlert(
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
export async function sendToResources(
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
