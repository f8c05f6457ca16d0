import type { Message } from '@tocsin/contract'
import {
  type AlertContext,
  type DestinationDeps,
  describeExchange,
  type Exchange,
  findDestination,
  type Sent,
} from '../engine/destinations/index.ts'
import type { Store } from '../store/index.ts'

/** What was sent and answered, for channels that use HTTP. */
type SentTest = Sent & { exchange?: Exchange }
type SendOptions = { store: Store; deps: DestinationDeps; sendWhenOff?: boolean }

/** Sends one real message that is marked as a test. Nothing is recorded. */
export async function sendTest(
  { store, deps, sendWhenOff = false }: SendOptions,
  resourceId: string,
  message: Message,
  context: AlertContext,
): Promise<SentTest> {
  const row = (await store.resources.findTargets([resourceId])).get(resourceId)
  if (!row) return { kind: 'never', reason: 'The resource was deleted.' }
  const destination = findDestination(row.blueprint)
  if (!destination) return { kind: 'never', reason: `This service cannot send to ${row.blueprint}.` }
  if (!row.ready && !sendWhenOff) return { kind: 'never', reason: `The resource is not ready: ${row.remark ?? ''}` }
  const target = { resourceId: row.id, fullname: row.fullname, data: row.data, private: row.private }
  const delivery = { id: context.alertId, kind: 'test' as const, messageJson: JSON.stringify(message), context }
  const sent = await destination.send(delivery, target, deps)
  return { ...sent, exchange: describeExchange(destination, delivery, target, deps, sent.answer) }
}
