import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'
import type { Account } from '../handler.ts'
import { accountView } from './views.ts'

const dayMs = 86_400_000

export async function startSession(store: Store, account: Account, now: Date, days: number) {
  const token = newToken('session')
  await store.tokens.add({
    accountId: account.id,
    kind: 'session',
    name: 'session',
    token,
    expiresAt: new Date(now.getTime() + days * dayMs),
    at: now,
  })
  return { token, account: accountView(account) }
}
