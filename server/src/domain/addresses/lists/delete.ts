import type { ListUses } from '../../../store/identity/address-lists.ts'
import { requireRank } from '../../access.ts'
import { done, requireMatch } from '../../answers.ts'
import { recordChange } from '../../audit.ts'
import type { Handler } from '../../handler.ts'
import { notFound, Refusal } from '../../refusal.ts'
import { requireAddressList } from './find.ts'

/** A list that conditions name stays: without it they would never hold again. */
export const deleteAddressList: Handler<'deleteAddressList'> = ({ account, ip, params, preconditions, store, now }) =>
  store.tx(async (store) => {
    const { level } = await requireAddressList(store, account, params.fullname)
    requireRank(level, 'developer')
    const row = await store.addressLists.lock(params.fullname)
    if (!row) throw notFound()
    requireMatch(preconditions, row)
    const uses = await store.addressLists.findUses(row)
    if (uses.triggers.length + uses.templates + uses.subscriptions > 0)
      throw new Refusal('in_use', explain(row.fullname, uses), { ...uses })
    await store.addressLists.remove(row.id)
    const { workspace_id: workspaceId, fullname } = row
    await recordChange(store, { account, ip, now }, { action: 'address-list.delete', workspaceId, fullname })
    return done
  })

/** Names only triggers, which every member may read. A subscription is its account's own. */
function explain(fullname: string, { triggers, templates, subscriptions }: ListUses): string {
  const users = [
    ...triggers.map((trigger) => `the trigger "${trigger}"`),
    ...(templates > 0 ? [`${templates} template${templates > 1 ? 's' : ''}`] : []),
    ...(subscriptions > 0 ? [`${subscriptions} subscription${subscriptions > 1 ? 's' : ''}`] : []),
  ]
  return `Conditions name the address list "${fullname}": ${users.join(', ')}. Change them first.`
}
