import type { Destination } from '../../engine/destinations/index.ts'
import type { ResourceRow } from '../../store/alerts/resource-rows.ts'
import { emailKey } from '../../store/identity/accounts.ts'
import type { Store } from '../../store/index.ts'
import type { Context } from '../handler.ts'

type Saving = Pick<Context<'saveResource'>, 'account' | 'engine' | 'now'>
type Data = Record<string, unknown>

/** A resource without a remark is ready. `confirmedAt` is the time when the receiver of an e-mail resource agreed. */
export type Readiness = { remark: string | null; confirmedAt: Date | null }

/** The readiness of a resource after a save; `current` is the stored row. */
export async function decideReadiness(
  store: Store,
  saving: Saving,
  destination: Destination,
  data: Data | null,
  current?: ResourceRow,
): Promise<Readiness> {
  if (destination.external) return { remark: setupNotFinished, confirmedAt: null }
  if (!destination.needsConfirmation) return { remark: null, confirmedAt: null }
  const confirmedAt = await findConfirmation(store, saving, addressIn(data), current)
  if (!saving.engine.channels.mail) return { remark: noMailServer, confirmedAt }
  return { remark: confirmedAt ? null : waitingForConfirmation, confirmedAt }
}

/**
 * True if the address was confirmed before, or is the caller's own verified one. A changed address must be confirmed
 * again.
 */
async function findConfirmation(
  store: Store,
  { account, now }: Saving,
  address: string,
  current: ResourceRow | undefined,
): Promise<Date | null> {
  const before = current && addressIn(store.resources.openData(current) ?? null)
  if (current?.confirmed_at && before === address) return current.confirmed_at
  const own = await store.accounts.find(account.id)
  return own?.email_verified_at && emailKey(own.email) === address ? now : null
}

/** The address in the form in which two addresses are compared. */
export function addressIn(data: Data | null): string {
  return emailKey(String(data?.to ?? ''))
}

/** The remarks of resources that cannot deliver. */
export const setupNotFinished = 'Setup is not finished'
export const botRemoved = 'The bot was removed from the chat, blocked, or may no longer write there'
const noMailServer = 'E-mail cannot be sent: the operator has not set SMTP_URL. Save again once it is set'
export const waitingForConfirmation =
  'Not confirmed: open the link in the e-mail that was sent to this address. Saving sends another one'
export const confirmationNotSent = 'Not confirmed: the confirmation e-mail could not be sent. Save again to retry'
export const confirmationPostponed =
  'Not confirmed: too many confirmation e-mails were sent. Open the link in the last one, or save again later'
