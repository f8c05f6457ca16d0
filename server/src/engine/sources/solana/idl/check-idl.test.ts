import { expect, test } from 'vitest'
import { checkAccountIdl, checkEventIdl } from './check-idl.ts'

const fields = [{ name: 'amount', type: 'u64' }]
const oldIdl = {
  version: '0.1.0',
  name: 'vault',
  instructions: [],
  accounts: [{ name: 'Vault', type: { kind: 'struct', fields } }],
  events: [{ name: 'Paid', fields: [{ name: 'amount', type: 'u64', index: false }] }],
}
const newIdl = {
  address: '11111111111111111111111111111111',
  metadata: { name: 'vault', version: '0.1.0', spec: '0.1.0' },
  instructions: [{ name: 'pay_out', discriminator: [1], accounts: [], args: [] }],
  accounts: [{ name: 'Vault', discriminator: [8, 7, 6, 5, 4, 3, 2, 1] }],
  events: [{ name: 'Paid', discriminator: [1, 2, 3, 4, 5, 6, 7, 8] }],
  types: ['Paid', 'Vault'].map((name) => ({ name, type: { kind: 'struct', fields } })),
}

test.each([
  ['old', oldIdl],
  ['new', newIdl],
  ['old, as text', JSON.stringify(oldIdl)],
  ['old, without instructions', { ...oldIdl, instructions: undefined }],
  ['old, cut down to what is used', { accounts: oldIdl.accounts, events: oldIdl.events }],
  ['new, without metadata', { ...withKeys(newIdl), metadata: undefined }],
  ['new, without spec', { ...withKeys(newIdl), metadata: { name: 'vault', version: '0.1.0' } }],
])('events and accounts are found in the %s format', async (_, idl) => {
  expect(await checkEventIdl(idl, 'Paid', 't')).toEqual([])
  expect(await checkEventIdl(idl, undefined, 't')).toEqual([])
  expect(await checkAccountIdl(idl, 'vault', 't')).toEqual([])
  expect((await checkEventIdl(idl, 'Refunded', 't'))[0]?.path).toBe('t.event')
  expect((await checkAccountIdl(idl, 'Safe', 't'))[0]?.path).toBe('t.accountName')
})

test('the name of an instruction is accepted as an event', async () =>
  expect(await checkEventIdl(newIdl, 'payOut', 't')).toEqual([]))

test.each([
  ['{'],
  ['[]'],
  [{}],
  [{ instructions: 5 }],
  [{ instructions: [null] }],
  [{ ...oldIdl, events: 'many' }],
  [{ ...oldIdl, events: [{ name: 'E', fields: [{ name: 'a', type: 'u65', index: false }] }] }],
  [{ ...oldIdl, events: [{ name: 'E', fields: [{ name: 'a', type: { defined: 'Nope' }, index: false }] }] }],
  [{ ...newIdl, types: 5 }],
  [{ ...oldIdl, events: [{ name: 'E', fields: 7 }] }],
])('%j is not an IDL', async (idl) => {
  expect((await checkEventIdl(idl, undefined, 't')).map((issue) => issue.path)).toEqual(['t.idl'])
})

test('hostile IDLs lead to issues, quickly', async () => {
  const doubling = Array.from({ length: 40 }, (_, level) => genericType(level, level < 39))
  const event = { name: 'Paid', type: { kind: 'struct', fields: [{ name: 'x', type: generic(0, 'u64') }] } }
  const many = Array.from({ length: 3000 }, (_, index) => ({
    name: `E${index}`,
    fields: [{ name: 'a', type: 'u8', index: false }],
  }))
  expect(await checkEventIdl({ ...newIdl, accounts: [], types: [event, ...doubling] }, 'Paid', 't')).toHaveLength(1)
  expect(await checkEventIdl({ ...oldIdl, events: many }, undefined, 't')).toHaveLength(1)
  expect(await checkEventIdl({ ...oldIdl, events: many }, 'E7', 't')).toEqual([])
})

/** With types that only the new format has a name for. */
function withKeys(idl: typeof newIdl) {
  const type = { kind: 'struct', fields: [{ name: 'owner', type: 'pubkey' }] }
  return { ...idl, types: ['Paid', 'Vault'].map((name) => ({ name, type })) }
}

function genericType(level: number, hasNext: boolean) {
  const type = hasNext ? generic(level + 1, { generic: `T${level}` }) : { generic: `T${level}` }
  const doubled = ['a', 'b'].map((name) => ({ name, type }))
  return {
    name: `G${level}`,
    generics: [{ kind: 'type', name: `T${level}` }],
    type: { kind: 'struct', fields: doubled },
  }
}

function generic(level: number, type: unknown) {
  return { defined: { name: `G${level}`, generics: [{ kind: 'type', type }] } }
}
