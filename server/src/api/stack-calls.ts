import { scopeNames } from '@tocsin/contract'
import { untagged } from '../domain/answers.ts'
import type { Account } from '../domain/handler.ts'
import type { StackCalls } from '../domain/marketplace/index.ts'
import type { Binding } from './bind.ts'
import type { Handlers } from './handlers.ts'

/** The audit log shows this address for changes that the service makes itself. */
const ip = '127.0.0.1'

/** Plans and applies stacks as an account, by the handlers of the routes. The service applies its own definitions so. */
export function makeStackCalls(
  { planStack, applyStack }: Pick<Handlers, 'planStack' | 'applyStack'>,
  binding: Binding,
): StackCalls {
  const contextOf = (account: Account, fullname: string) => ({ ...contextFor(binding, account), params: { fullname } })
  return {
    plan: async (account, workspace, body) => untagged(await planStack({ ...contextOf(account, workspace), body })),
    apply: (account, workspace, body) => applyStack({ ...contextOf(account, workspace), body }),
  }
}

function contextFor(binding: Binding, account: Account) {
  const { attempts, testLimits, backtests, streams, publishSourceEvent, engine, store, settings } = binding
  return {
    ...{ attempts, testLimits, backtests, streams, publishSourceEvent, engine, store, settings },
    account,
    tokenId: undefined,
    access: { scopes: scopeNames },
    address: ip,
    ip,
    caller: { ip, userAgent: '' },
    query: undefined,
    lastEventId: undefined,
    beginVisit: undefined,
    preconditions: { ifMatch: undefined, ifNoneMatch: undefined },
    now: binding.clock(),
  }
}
