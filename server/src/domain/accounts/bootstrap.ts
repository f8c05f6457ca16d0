import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'
import { addCommonWorkspace } from '../common-workspace.ts'
import { hashPassword, passwordCost } from './passwords.ts'
import { accountOf } from './read.ts'

export type Admin = { email: string; password?: string | undefined; token?: string | undefined }
/** Without a token if the operator set it in the configuration. */
export type FirstAccount = { email: string; token?: string }

const unannounced = 'first_account'

/**
 * Creates one account, its personal workspace and a token if the store is empty, and the workspace of the marketplace
 * if `hasMarketplace` is set. Returns the same account and token
 * until `forgetFirstToken`, so that a start that is killed before it prints the token does not lock the operator out.
 */
export async function createFirstAccount(
  store: Store,
  admin: Admin,
  now: Date,
  { hasMarketplace }: { hasMarketplace: boolean },
): Promise<FirstAccount | undefined> {
  if (await store.accounts.isEmpty()) await create(store, admin, now, hasMarketplace)
  return store.settings.findSecret<FirstAccount>(unannounced)
}

/** True if the operator set a token that opens no account: ADMIN_TOKEN counts only at the first start. */
export async function isUselessToken(store: Store, token: string | undefined, now: Date): Promise<boolean> {
  return token !== undefined && (await store.tokens.findOwner(token, now)) === undefined
}

export function forgetFirstToken(store: Store): Promise<void> {
  return store.settings.remove(unannounced)
}

async function create(store: Store, admin: Admin, now: Date, hasMarketplace: boolean): Promise<void> {
  const passwordHash = admin.password === undefined ? null : await hashPassword(admin.password, passwordCost)
  await store.tx(async (store) => {
    const row = await store.accounts.add({ email: admin.email, name: 'Admin', passwordHash, isFirst: true, at: now })
    // Another process that starts at the same time created the account.
    if (!row) return
    const account = accountOf(row)
    const fields = { tags: [], labels: {}, meta: { title: 'Personal workspace' } }
    const workspace = await store.workspaces.add('admin', fields, newToken('invite'), now)
    if (workspace) await store.members.add(workspace.id, account.id, 'owner', now)
    if (hasMarketplace) await addCommonWorkspace(store, account.id, now)
    const token = admin.token ?? newToken('personal')
    const named = { accountId: account.id, kind: 'personal' as const, name: 'first start' }
    await store.tokens.add({ ...named, token, expiresAt: null, at: now })
    const first: FirstAccount = admin.token === undefined ? { email: account.email, token } : { email: account.email }
    await store.settings.addSecret(unannounced, first)
  })
}
