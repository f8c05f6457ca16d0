import { beforeAll, describe, expect, test } from 'vitest'
import { type Harness, type Person, project, rejects, sharedHarness, type Team } from './harness/index.ts'

const mixed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

let house: Harness
let ann: Person
beforeAll(async () => {
  house = await sharedHarness()
})

const newBook = async () => {
  ann = await house.person('ann')
}

describe('the address book', () => {
  beforeAll(newBook)

  test.each([
    ['plain', 'anything at all'],
    ['ss58', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY'],
    ['evm', mixed],
    ['solana', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['cosmos', 'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d27'],
  ] as const)('accepts a %s address and stores it as entered, without surrounding blanks', async (type, address) => {
    const entry = await ann.createAddress({ body: { type, address: `  ${address} `, alias: ` my ${type} ` } })
    expect(entry).toMatchObject({ type, address, alias: `my ${type}` })
    expect(await ann.listAddresses()).toContainEqual(entry)
  })

  test('is sorted by alias and paged', async () => {
    const all = (await ann.listAddresses()).map(({ alias }) => alias)
    expect(all).toEqual(all.toSorted())
    const first = await ann.whole.listAddresses({ query: { limit: 4 } })
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1]
    const rest = await ann.listAddresses({ query: { limit: 4, cursor } })
    expect([...first.body, ...rest].map(({ alias }) => alias)).toEqual(all)
  })

  test('shows only the account’s own entries', async () => {
    const eve = await house.person('eve')
    const entry = await eve.createAddress({ body: { type: 'evm', address: mixed, alias: 'my evm' } })
    const body = { type: 'evm', address: other, alias: 'stolen' } as const
    await rejects(ann.saveAddress({ id: entry.id, body }), { code: 'not_found', status: 404 })
    await rejects(ann.deleteAddress({ id: entry.id }), { code: 'not_found', status: 404 })
    expect(await eve.listAddresses()).toEqual([entry])
  })

  test('refuses a caller who is not signed in', async () => {
    const signedOut = { code: 'unauthenticated', status: 401 } as const
    const body = { type: 'evm', address: mixed, alias: 'x' } as const
    await rejects(house.nobody.listAddresses(), signedOut)
    await rejects(house.nobody.createAddress({ body }), signedOut)
    await rejects(house.nobody.saveAddress({ id: 'x', body }), signedOut)
    await rejects(house.nobody.deleteAddress({ id: 'x' }), signedOut)
  })
})

describe('refusals', () => {
  beforeAll(newBook)

  test.each([
    ['evm', '0x1234'],
    ['evm', mixed.replace('aA', 'Aa')],
    ['ss58', '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQZ'],
    ['solana', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5D'],
    ['bitcoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5'],
    ['cosmos', 'cosmos1depk54cuajgkzea6zpgkq36tnjwdzv4afc3d28'],
    ['plain', '   '],
    ['plain', 'x'.repeat(257)],
  ] as const)('%s %s', async (type, address) => {
    await rejects(ann.createAddress({ body: { type, address, alias: 'bad' } }), {
      code: 'invalid_payload',
      status: 400,
      details: { issues: [{ path: 'address' }] },
    })
  })

  test('are one sentence with one full stop', async () => {
    const call = ann.createAddress({ body: { type: 'evm', address: '0x1234', alias: 'bad' } })
    const { message } = await rejects(call, { code: 'invalid_payload' })
    expect(message).toBe('The payload is not valid: address: An EVM address is 0x and 40 hexadecimal digits.')
  })

  test.each([
    ['alias', { alias: ' ' }],
    ['alias', { alias: 'x'.repeat(129) }],
    ['type', { type: 'doge' }],
  ])('an invalid %s', async (path, wrong) => {
    const body = { type: 'evm', address: mixed, alias: 'a', ...wrong } as never
    await rejects(ann.createAddress({ body }), {
      code: 'invalid_payload',
      status: 400,
      details: { issues: [{ path }] },
    })
  })
})

describe('one entry per address and per alias', () => {
  beforeAll(newBook)
  const evm = (address: string, alias: string) => ({ type: 'evm', address, alias }) as const

  test('in any spelling of the address', async () => {
    await ann.createAddress({ body: evm(mixed, 'home') })
    const lower = mixed.toLowerCase()
    await rejects(ann.createAddress({ body: evm(lower, 'again') }), { code: 'duplicate_address', status: 409 })
    await rejects(ann.createAddress({ body: evm(other, 'home') }), { code: 'duplicate_alias', status: 409 })
    await ann.createAddress({ body: { type: 'plain', address: mixed, alias: 'as text' } })
  })

  test('a refused request that is repeated with its Idempotency-Key is refused again', async () => {
    const call = () => ann.createAddress({ body: evm(mixed, 'again'), idempotencyKey: 'one' })
    for (let time = 0; time < 2; time++) await rejects(call(), { code: 'duplicate_address', status: 409 })
  })

  test('also when an entry is changed; a save without a change is accepted', async () => {
    const { id } = await ann.createAddress({ body: evm(other, 'office') })
    await rejects(ann.saveAddress({ id, body: evm(mixed, 'office') }), { code: 'duplicate_address', status: 409 })
    await rejects(ann.saveAddress({ id, body: evm(other, 'home') }), { code: 'duplicate_alias', status: 409 })
    const body = evm(other.toLowerCase(), 'office')
    expect(await ann.saveAddress({ id, body })).toMatchObject({ id, ...body })
  })

  test('also when requests race', async () => {
    const body = { type: 'plain', address: 'raced', alias: 'raced' } as const
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => ann.createAddress({ body })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.status] : []))
    expect(lost).toEqual([409, 409])
  })
})

describe('an entry', () => {
  beforeAll(newBook)
  const plain = (address: string) => ({ type: 'plain', address, alias: 'note' }) as const

  test('of two saves with the same If-Match one wins', async () => {
    const { id } = await ann.createAddress({ body: plain('first') })
    const saved = await ann.whole.saveAddress({ id, body: plain('second') })
    const ifMatch = saved.headers.get('etag') ?? ''
    const saves = ['third', 'fourth'].map((address) => ann.saveAddress({ id, ifMatch, body: plain(address) }))
    const outcomes = await Promise.allSettled(saves)
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(lost).toMatchObject([{ code: 'precondition_failed', status: 412 }])
    await rejects(ann.deleteAddress({ id, ifMatch }), { code: 'precondition_failed', status: 412 })
  })

  test('can be deleted, and its alias is free again', async () => {
    const [entry] = await ann.listAddresses()
    const answer = await ann.whole.deleteAddress({ id: entry?.id ?? '' })
    expect([answer.status, answer.body]).toEqual([204, undefined])
    await rejects(ann.deleteAddress({ id: entry?.id ?? '' }), { code: 'not_found', status: 404 })
    await rejects(ann.saveAddress({ id: entry?.id ?? '', body: plain('x') }), { code: 'not_found', status: 404 })
    await ann.createAddress({ body: plain('x') })
  })
})

describe('the address book of a workspace', () => {
  let team: Team
  const workspace = 'shared-book'
  const evm = (address: string, alias: string) => ({ type: 'evm', address, alias }) as const
  beforeAll(async () => {
    team = await house.team(workspace)
    await team.owner.saveProject({ fullname: `${workspace}.p`, body: project(`${workspace}.p`) })
  })

  /** What a message of the workspace calls an address, in a text and in a list of values. */
  const namesFor = async (person: Person, address: string, fullname = `${workspace}.p`) => {
    const defaults = { title: '{{address raw.to}}', short: '{{yaml raw}}', long: '{{values raw}}' }
    const output = { raw: { to: address }, human: {} }
    const body = { defaults, output, input: {}, trigger: `${fullname}.t`, title: 'T', project: fullname }
    const { message } = await person.previewMessage({ body })
    return [message?.title, message?.short, message?.long]
  }

  test('is read by its members, with who changed each name, and named in messages', async () => {
    const { developer, user, stranger } = team
    const entry = await developer.createWorkspaceAddress({ workspace, body: evm(mixed, 'Treasury') })
    const by = { id: developer.id, name: expect.any(String) }
    expect(await user.listWorkspaceAddresses({ workspace })).toEqual([{ ...entry, workspace, changedBy: by }])
    expect(await namesFor(user, mixed)).toEqual(['Treasury', 'to: Treasury', 'to: Treasury'])
    await rejects(stranger.listWorkspaceAddresses({ workspace }), { code: 'not_found', status: 404 })
    const [{ action, fullname, actor } = {}] = await team.owner.listAudit({ fullname: workspace })
    expect([action, fullname, actor?.id]).toEqual(['address.save', 'Treasury', developer.id])
  })

  test('gives way to the name that an account gave itself', async () => {
    const { user, developer } = team
    const { id } = await user.createAddress({ body: evm(mixed.toLowerCase(), 'My wallet') })
    expect(await namesFor(user, mixed)).toEqual(['My wallet', 'to: My wallet', 'to: My wallet'])
    expect(await namesFor(developer, mixed)).toEqual(['Treasury', 'to: Treasury', 'to: Treasury'])
    await user.deleteAddress({ id })
  })

  test('names nothing in the messages of another workspace', async () => {
    const eve = await house.person('eve')
    const own = (await eve.listWorkspaces())[0]?.fullname ?? ''
    await eve.saveProject({ fullname: `${own}.p`, body: project(`${own}.p`) })
    expect((await namesFor(eve, mixed, `${own}.p`))[0]).toBe('0x5aAe…BeAed'.replace('BeAed', 'eAed'))
  })

  test('has each address and each alias once, and is changed and emptied by developers alone', async () => {
    const { developer, admin, user } = team
    const forbidden = { code: 'forbidden', status: 403 } as const
    await rejects(developer.createWorkspaceAddress({ workspace, body: evm(mixed.toLowerCase(), 'Again') }), {
      code: 'duplicate_address',
      status: 409,
    })
    await rejects(developer.createWorkspaceAddress({ workspace, body: evm(other, 'Treasury') }), {
      code: 'duplicate_alias',
      status: 409,
    })
    const [{ id } = { id: '' }] = await admin.listWorkspaceAddresses({ workspace })
    await rejects(user.saveWorkspaceAddress({ workspace, id, body: evm(mixed, 'Stolen') }), forbidden)
    await rejects(user.deleteWorkspaceAddress({ workspace, id }), forbidden)
    const renamed = await admin.saveWorkspaceAddress({ workspace, id, body: evm(mixed, 'Vault') })
    expect(renamed).toMatchObject({ id, alias: 'Vault', changedBy: { id: admin.id } })
    await developer.deleteWorkspaceAddress({ workspace, id })
    expect(await user.listWorkspaceAddresses({ workspace })).toEqual([])
    await rejects(developer.deleteWorkspaceAddress({ workspace, id }), { code: 'not_found', status: 404 })
  })
})
