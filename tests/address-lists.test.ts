import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressList,
  type Harness,
  harness,
  project,
  rejects,
  subscription,
  type Team,
  template,
  trigger,
} from './harness/index.ts'

let house: Harness
let team: Team
const wallet = (digit: string) => `0x${digit.repeat(40)}`
const inList = (list: string, op: 'in' | 'nin' = 'in') => ({ param: 'source.now', op, value: { list } })

beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
  await team.owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
})
afterAll(() => house.close())

const save = (name: string, extra: Parameters<typeof addressList>[1] = {}) => {
  const fullname = `acme.${name}`
  return team.developer.saveAddressList({ fullname, body: addressList(fullname, extra) })
}

describe('saving', () => {
  test('a list is saved, replaced, listed and read by every member, as entered and each address once', async () => {
    const checksummed = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
    const saved = await save('whales', { addresses: [` ${checksummed} `, wallet('a'), checksummed.toLowerCase()] })
    expect(saved).toMatchObject({ fullname: 'acme.whales', name: 'whales', workspace: 'acme', type: 'evm' })
    expect(saved.addresses).toEqual([checksummed, wallet('a')])
    expect(await team.user.getAddressList({ fullname: 'acme.whales' })).toEqual(saved)
    const replaced = await save('whales', { addresses: [], meta: { title: 'Whales' } })
    expect(replaced).toMatchObject({ id: saved.id, addresses: [], meta: { title: 'Whales' } })
    const listed = await team.user.listAddressLists({ query: { workspace: 'acme' } })
    expect(listed).toContainEqual(replaced)
    expect(await team.stranger.listAddressLists({})).toEqual([])
  })

  test('10,000 addresses are a list, one more is refused, and so is whatever is no address of the type', async () => {
    const many = Array.from({ length: 10_001 }, (_, at) => `0x${at.toString(16).padStart(40, '0')}`)
    expect((await save('many', { addresses: many.slice(1) })).addresses).toHaveLength(10_000)
    const refused = async (extra: object, issues: object[]) =>
      rejects(save('wrong', extra), { code: 'invalid_payload', status: 400, details: { issues } })
    await refused({ addresses: many }, [{ path: 'addresses', message: 'must have at most 10000 items' }])
    await refused({ addresses: [wallet('a'), '0x12'] }, [expect.objectContaining({ path: 'addresses.1' })])
    await refused({ type: 'solana', addresses: [wallet('a')] }, [expect.objectContaining({ path: 'addresses.0' })])
    await refused({ type: 'doge' }, [expect.objectContaining({ path: 'type' })])
    await refused({ meta: {} }, [{ path: 'meta.title', message: 'is required' }])
    await rejects(team.developer.getAddressList({ fullname: 'acme.wrong' }), { code: 'not_found' })
  })

  test('names must fit, and a save with an old ETag changes nothing', async () => {
    const put = (fullname: string, body: ReturnType<typeof addressList>) =>
      team.developer.saveAddressList({ fullname, body })
    await rejects(put('acme.a', addressList('acme.b')), { code: 'fullname_mismatch' })
    await rejects(put('acme.a.b', addressList('acme.a.b')), { code: 'fullname_invalid' })
    await rejects(put('beta.a', addressList('beta.a', { workspace: 'acme' })), { code: 'fullname_invalid' })
    await rejects(put('beta.a', addressList('beta.a')), { code: 'not_found' })
    await save('tagged')
    const { headers } = await team.developer.whole.getAddressList({ fullname: 'acme.tagged' })
    const ifMatch = headers.get('etag') ?? ''
    await save('tagged', { addresses: [wallet('b')] })
    const again = { fullname: 'acme.tagged', body: addressList('acme.tagged'), ifMatch }
    await rejects(team.developer.saveAddressList(again), { code: 'precondition_failed' })
    await rejects(team.developer.deleteAddressList({ fullname: 'acme.tagged', ifMatch }), {
      code: 'precondition_failed',
    })
  })

  test('a page of lists ends early if its lists have many addresses, and the next one follows', async () => {
    const many = Array.from({ length: 9_000 }, (_, at) => `0x${at.toString(16).padStart(40, '0')}`)
    const owner = await house.team('pages')
    for (const name of ['a', 'b', 'c', 'd'])
      await owner.owner.saveAddressList({
        fullname: `pages.${name}`,
        body: addressList(`pages.${name}`, { addresses: many }),
      })
    const { body, headers } = await owner.owner.whole.listAddressLists({ query: { workspace: 'pages' } })
    expect(body.map(({ fullname }) => fullname)).toEqual(['pages.a', 'pages.b', 'pages.c'])
    const cursor = new URL(/<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '', house.url).searchParams.get('cursor')
    const rest = await owner.owner.listAddressLists({ query: { workspace: 'pages', cursor: cursor ?? '' } })
    expect(rest.map(({ fullname }) => fullname)).toEqual(['pages.d'])
  })
})

describe('conditions', () => {
  test('name lists of their own workspace only', async () => {
    await save('known')
    const beta = await house.team('beta')
    await beta.owner.saveAddressList({ fullname: 'beta.known', body: addressList('beta.known') })
    const message = 'the workspace "acme" has no address list "beta.known"'
    const put = (list: string) =>
      team.developer.saveTrigger({
        fullname: 'acme.p.named',
        body: trigger('acme.p.named', { conditions: { all: [inList(list)] } }),
      })
    await rejects(put('beta.known'), {
      code: 'invalid_payload',
      details: { issues: [{ path: 'conditions.all.0.value.list', message }] },
    })
    await put('acme.known')
    const patch = { set: { 'conditions.all.0.value.list': 'acme.unknown' } }
    await rejects(team.developer.patchTrigger({ fullname: 'acme.p.named', body: patch }), { code: 'invalid_payload' })
    const subscribe = (list: string) =>
      team.user.createSubscription({
        body: subscription('acme.p.named', { conditions: { param: 'now', op: 'nin', value: { list } } }),
      })
    await rejects(subscribe('beta.known'), {
      code: 'invalid_payload',
      details: { issues: [{ path: 'conditions.value.list', message }] },
    })
    const rule = { id: 'r', topic: 'moves', trigger: 'acme.p.named', deprecated: false, requiredValues: [] }
    const conditions = { param: 'now', op: 'in' as const, value: { list: 'beta.known' } }
    const body = template('acme.p', { rules: [{ ...rule, conditions }] })
    await rejects(team.developer.createTemplate({ fullname: 'acme.p', body }), {
      code: 'invalid_payload',
      details: { issues: [{ path: 'rules.0.conditions.value.list', message }] },
    })
    await rejects(put('no fullname'), {
      code: 'invalid_payload',
      details: {
        issues: [{ path: 'conditions.all.0.value.list', message: 'must be the fullname of an address list' }],
      },
    })
  })

  test('a list in use cannot be deleted', async () => {
    await save('used')
    const named = 'acme.p.uses'
    const conditions = { any: [{ not: inList('acme.used') }] }
    await team.developer.saveTrigger({ fullname: named, body: trigger(named, { conditions }) })
    const plain = 'acme.p.plain'
    await team.developer.saveTrigger({ fullname: plain, body: trigger(plain) })
    const { id } = await team.user.createSubscription({
      body: subscription(plain, { conditions: { param: 'now', op: 'in', value: { list: 'acme.used' } } }),
    })
    const remove = () => team.developer.deleteAddressList({ fullname: 'acme.used' })
    await rejects(remove(), {
      code: 'in_use',
      status: 409,
      details: { triggers: [named], templates: 0, subscriptions: 1 },
    })
    await team.user.deleteSubscription({ id })
    await rejects(remove(), { code: 'in_use', details: { triggers: [named], subscriptions: 0 } })
    await team.developer.patchTrigger({ fullname: named, body: { unset: ['conditions'] } })
    expect(await remove()).toEqual({ ok: true })
    await rejects(remove(), { code: 'not_found' })
  })

  test('of a save that names a list and a deletion of the list at the same time, one wins', async () => {
    for (let round = 0; round < 5; round++) {
      await save('raced')
      const fullname = 'acme.p.raced'
      await team.developer.saveTrigger({ fullname, body: trigger(fullname) })
      const patch = { set: { conditions: inList('acme.raced') } }
      const outcomes = await Promise.allSettled([
        team.developer.patchTrigger({ fullname, body: patch }),
        team.developer.deleteAddressList({ fullname: 'acme.raced' }),
      ])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    }
  })

  test('try-outs use lists that the caller may read', async () => {
    await save('seen', { addresses: [wallet('c')] })
    const conditions = { param: 'source.to', op: 'in' as const, value: { list: 'acme.seen' } }
    const body = {
      providers: [],
      transform: null,
      conditions,
      input: { to: wallet('c').toUpperCase().replace('X', 'x') },
    }
    const seen = await team.user.previewTrigger({ body })
    expect(seen).toMatchObject({ valid: true, debug: { activated: true } })
    expect(seen.debug.conditions).toMatchObject([{ held: true, wanted: [wallet('c')] }])
    expect(await team.user.previewTrigger({ body: { ...body, input: { to: wallet('d') } } })).toMatchObject({
      output: null,
    })
    expect(await team.stranger.previewTrigger({ body })).toMatchObject({
      valid: false,
      issues: [{ path: 'conditions.value.list', message: 'there is no address list "acme.seen" that you may read' }],
    })
  })
})

test('a transfer copies the lists that the project names and renames them in its conditions', async () => {
  const gamma = await house.team('gamma')
  const { owner } = team
  await owner.saveProject({ fullname: 'acme.moving', body: project('acme.moving') })
  await save('both', { addresses: [wallet('1')] })
  await save('other', { addresses: [wallet('2')] })
  await gamma.owner.saveAddressList({
    fullname: 'gamma.both',
    body: addressList('gamma.both', { addresses: [wallet('1')] }),
  })
  await gamma.owner.saveAddressList({ fullname: 'gamma.other', body: addressList('gamma.other') })
  const conditions = { all: [inList('acme.both'), inList('acme.other', 'nin')] }
  await owner.saveTrigger({ fullname: 'acme.moving.t', body: trigger('acme.moving.t', { conditions }) })
  const request = { fullname: 'acme.moving', body: { targetWorkspace: 'gamma' } }
  const lists = [
    { from: 'acme.both', to: 'gamma.both' },
    { from: 'acme.other', to: 'gamma.other-2' },
  ]
  // Of the lists of a workspace that the owner is no member of, the plan tells nothing.
  const unseen = [lists[0], { from: 'acme.other', to: 'gamma.other' }]
  const plan = await owner.planTransfer(request)
  expect(plan).toMatchObject({ changes: { addressLists: unseen } })
  const { invite = '' } = await gamma.owner.getWorkspace({ fullname: 'gamma' })
  await owner.joinWorkspace({ workspace: 'gamma', body: { invite } })
  expect(await owner.planTransfer(request)).toMatchObject({
    changes: { addressLists: lists },
    planHash: plan.planHash,
  })
  const { id } = await owner.createTransferRequest(request)
  await gamma.owner.acceptTransfer({ id, body: {} })
  expect(await gamma.owner.getTrigger({ fullname: 'gamma.moving.t' })).toMatchObject({
    conditions: { all: [inList('gamma.both'), inList('gamma.other-2', 'nin')] },
  })
  expect(await gamma.owner.getAddressList({ fullname: 'gamma.other-2' })).toMatchObject({ addresses: [wallet('2')] })
  expect(await gamma.owner.getAddressList({ fullname: 'gamma.other' })).toMatchObject({ addresses: [] })
  expect(await owner.deleteAddressList({ fullname: 'acme.other' })).toEqual({ ok: true })
})
