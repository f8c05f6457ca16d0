import type { AddressListRow } from '../../../store/identity/address-lists.ts'
import { defineNoun, requestOf, type StackContext } from '../../definition-noun.ts'
import { stackMark } from '../../stack-mark.ts'
import { deleteAddressList } from './delete.ts'
import { saveAddressList } from './save.ts'

export const addressListDefinition = defineNoun({
  kind: 'address-list',
  nameOf: ({ fullname }) => fullname,
  prepare: async (_, body) => async (context) => {
    const { fullname } = body
    await saveAddressList(requestOf(context, { fullname }, body))
    await context.store.stacks.markNamed('address_lists', fullname, context.stack)
    return undefined
  },
  find: async (context, name) => {
    const row = await findList(context, name)
    return row && { payload: payloadOf(row), stack: row.stack }
  },
  remove: (context, name) => deleteAddressList(requestOf(context, { fullname: name }, undefined)),
})

async function findList({ store, account, workspace, locks }: StackContext, fullname: string) {
  const row = locks
    ? await store.addressLists.lock(fullname)
    : await store.addressLists.findForMember(fullname, account.id)
  return row?.workspace_id === workspace.id ? row : undefined
}

function payloadOf({ fullname, workspace, type, addresses, meta, stack }: AddressListRow) {
  return { fullname, workspace, type, addresses, meta, ...stackMark(stack) }
}
