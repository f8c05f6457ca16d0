import { type Route, type RouteName, routes } from '@tocsin/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { type Mutation, mutate, mutations, payloadsOf } from '../harness/arbitrary.ts'
import {
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  resource,
  subscription,
  type Team,
  template,
  trigger,
} from '../harness/index.ts'
import { seedOf } from '../harness/seed-of.ts'
import { sensible, sensibleBody } from '../harness/sensible.ts'

/**
 * Generated requests, valid and mutated, against every route. `prey` is a workspace that the callers may not change;
 * `mine` is one where they may. Nothing they send may fail the service or change the prey.
 *
 * FUZZ_RUNS sets the number of requests, FUZZ_SEED their chance.
 */
const runs = Number(process.env.FUZZ_RUNS ?? 5_000)
const seed = seedOf('FUZZ_SEED')
const lookAtPreyEvery = 500
const layOutEvery = 50

let house: Harness
let prey: Team
let hunter: Person
let names: Record<string, string[]>
let preyIds: string[]
let furnished = 0

beforeAll(async () => {
  house = await harness({ SECURE_SETUP: 'on' })
  prey = await house.team('prey')
  hunter = await house.person('hunter')
  const acl = await prey.owner.listAcl({ workspace: 'prey' })
  const others = acl.filter(({ user }) => user.id !== prey.user.id).map(({ id }) => id)
  preyIds = [...(await furnish(prey.owner, 'prey')), ...others]
  await layOut()
})
afterAll(() => house.close())

/** Creates the entities again that the callers deleted, so that later requests find something. */
async function layOut(): Promise<void> {
  const mineIds = await furnish(hunter, 'mine')
  names = {
    workspaces: ['prey', 'mine', 'mine', 'new-one', 'Bad Name'],
    projects: ['prey.app', 'mine.app', 'mine.app', 'mine.new', 'prey.new'],
    triggers: ['prey.app.moved', 'mine.app.moved', 'mine.app.moved', 'mine.app.New_one', 'prey.app.new'],
    resources: ['prey.hook', 'mine.hook', 'mine.chat', 'prey.chat', 'mine.new'],
    'custom-sources': ['prey.chain', 'mine.chain', 'mine.chain', 'mine.new'],
    ids: [...preyIds, ...mineIds, ...mineIds, 'none'],
  }
}

test(`no request fails the service or changes what its caller may not change (FUZZ_SEED=${seed})`, {
  timeout: 3_600_000,
}, async () => {
  const before = await look(prey.owner)
  let sent = 0
  const property = fc.asyncProperty(requests(), async (request) => {
    const response = await send(request)
    const text = await textOf(response)
    if (response.status >= 500 && response.status !== 503) throw new Error(`${response.status} ${text}`)
    if (!response.ok) expect(JSON.parse(text)).toHaveProperty('error.code')
    if (++sent % layOutEvery === 0) await layOut()
    if (sent % lookAtPreyEvery === 0) expect(await look(prey.owner)).toEqual(before)
  })
  await fc.assert(property, { numRuns: runs, seed })
  expect(await look(prey.owner)).toEqual(before)
})

/** A stream of events never ends, so it is left out. */
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}

type Request = {
  name: RouteName
  caller: 'nobody' | 'stranger' | 'user' | 'hunter'
  picks: number[]
  query: [string, string][]
  payload: unknown
  changes: Mutation[]
  isNamed: boolean
}

function requests(): fc.Arbitrary<Request> {
  const perRoute = (Object.entries(routes) as [RouteName, Route][])
    .filter(([name]) => name !== 'signOut')
    .map(([name, route]) =>
      fc.record({
        name: fc.constant(name),
        caller: fc.constantFrom(
          'nobody' as const,
          'stranger' as const,
          'user' as const,
          'hunter' as const,
          'hunter' as const,
        ),
        picks: fc.array(fc.nat(50), { minLength: 3, maxLength: 3 }),
        query: fc.array(
          fc.tuple(
            fc.constantFrom(...queryNames(route)),
            fc.oneof(fc.string(), fc.constantFrom('1', 'prey', 'mine.app', 'before', '2026-01-01T00:00:00Z')),
          ),
          { maxLength: 2 },
        ),
        payload: route.body ? payloads(route.body) : fc.constant(undefined),
        changes: mutations,
        isNamed: fc.boolean(),
      }),
    )
  return fc.oneof(...perRoute)
}

/** Half of the requests start from a valid call, the others from the schema or from random values. */
function payloads(schema: z.ZodType): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(sensible) },
    { weight: 2, arbitrary: payloadsOf(schema) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  )
}

function queryNames(route: Route): [string, ...string[]] {
  return ['other', ...Object.keys(route.query?.shape ?? {})]
}

async function send(request: Request): Promise<Response> {
  const route: Route = routes[request.name]
  let pick = 0
  const params: Record<string, string> = {}
  const path = route.path.replace(/:(\w+)/g, (_, param: string) => {
    const pool = poolOf(route, param)
    const value = pool[(request.picks[pick++] ?? 0) % pool.length] ?? 'none'
    params[param] = value
    return encodeURIComponent(value)
  })
  const body = bodyOf(request, route, params)
  const query = new URLSearchParams(request.query)
  return fetch(`${house.url}${path}?${query}`, {
    method: route.method,
    headers: { ...tokenOf(request.caller), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  })
}

function poolOf(route: Route, param: string): string[] {
  if (param === 'fullname') return names[route.path.startsWith('/api/projects') ? 'projects' : route.noun] ?? ['none']
  if (param === 'workspace') return names.workspaces ?? []
  return names.ids ?? []
}

/** Half of the payloads have the same name as the path, so that they pass the first check. */
function bodyOf(request: Request, route: Route, params: Record<string, string>): string | undefined {
  if (!route.body) return undefined
  const start = request.payload === sensible ? sensibleBody(request.name, params.fullname ?? '') : request.payload
  const payload = mutate(start, request.changes)
  if (!request.isNamed || typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return JSON.stringify(payload)
  return JSON.stringify({ ...payload, ...namesFor(route, params.fullname) })
}

function namesFor(route: Route, fullname: string | undefined): Record<string, unknown> {
  if (fullname === undefined) return {}
  const [workspace, second, ...rest] = fullname.split('.')
  if (route.noun === 'templates') return { project: fullname }
  if (route.noun === 'triggers') return { fullname, workspace, project: `${workspace}.${second}`, name: rest.join('.') }
  if (route.noun === 'workspaces') return { fullname }
  return { fullname, workspace, name: second, mode: 'update' }
}

function tokenOf(caller: Request['caller']): Record<string, string> {
  if (caller === 'nobody') return {}
  const person = { stranger: prey.stranger, user: prey.user, hunter }[caller]
  return { authorization: `Bearer ${person.token}` }
}

async function furnish(owner: Person, workspace: string): Promise<string[]> {
  const app = `${workspace}.app`
  await owner.saveWorkspace({ fullname: workspace, body: { fullname: workspace } })
  await owner.saveProject({ fullname: app, body: project(app) })
  await owner.saveTrigger({ fullname: `${app}.moved`, body: trigger(`${app}.moved`) })
  await owner.saveTriggerDraft({ fullname: `${app}.moved`, body: trigger(`${app}.moved`) })
  await owner.saveResource({ fullname: `${workspace}.hook`, body: resource(`${workspace}.hook`) })
  const chat = await owner.saveResource({
    fullname: `${workspace}.chat`,
    body: resource(`${workspace}.chat`, { blueprint: 'common.delivery.telegram' }),
  })
  const mode = (await owner.listCustomSources({ query: { workspace } })).length > 0 ? 'update' : 'create'
  await owner.saveCustomSource({ fullname: `${workspace}.chain`, body: customSource(`${workspace}.chain`, { mode }) })
  const made = [
    await owner.createTemplate({ fullname: app, body: template(app) }),
    await owner.createAddon({ fullname: app, body: { name: 'extra', state: 'canceled' } }),
    await owner.createAccessLink({ fullname: app }),
    await owner.createSubscription({ body: subscription(`${app}.moved`) }),
    await owner.createSetupSession({ fullname: chat.fullname }),
    await owner.createAddress({
      body: { type: 'plain', address: `${workspace} ${++furnished}`, alias: `${workspace} ${furnished}` },
    }),
    await owner.createToken({ body: { name: workspace } }),
  ]
  return made.map(({ id }) => id)
}

/** Everything that the owner of `prey` can see of it. */
async function look(owner: Person): Promise<unknown> {
  const app = 'prey.app'
  return Promise.all([
    owner.getWorkspace({ fullname: 'prey' }),
    membersOf(owner),
    owner.listProjects({ query: { workspace: 'prey' } }),
    owner.getTrigger({ fullname: `${app}.moved` }),
    owner.getTriggerDraft({ fullname: `${app}.moved` }),
    owner.listTriggers({ query: { workspace: 'prey' } }),
    owner.listResources({ query: { workspace: 'prey' } }),
    owner.listCustomSources({ query: { workspace: 'prey' } }),
    owner.getCustomSource({ fullname: 'prey.chain' }),
    owner.listTemplates({ fullname: app }),
    owner.listAddons({ fullname: app }),
    owner.listAccessLinks({ fullname: app }),
    owner.listTransferRequests({ query: { workspace: 'prey', direction: 'outgoing' } }),
    owner.listAddresses(),
    owner.listSubscriptions(),
    owner.getMe(),
  ])
}

/** Callers may change their own name and address. */
async function membersOf(owner: Person): Promise<unknown> {
  const members = await owner.listAcl({ workspace: 'prey' })
  return members.map(({ user, ...member }) => ({ ...member, user: user.id === prey.user.id ? user.id : user }))
}
