import { randomBytes } from 'node:crypto'
import { type Route, type RouteName, routes } from '@tocsin/contract'
import fc from 'fast-check'
import sharp from 'sharp'
import { type Mutation, mutate, mutations, payloadsOf } from '../../tests/harness/arbitrary.ts'
import { sensibleBody } from '../../tests/harness/sensible.ts'

export type SoakRequest = { method: string; path: string; body: string | undefined; isSignedIn: boolean }

const fullnames: Record<string, string[]> = {
  workspaces: ['mine', 'new-one', 'Bad Name'],
  projects: ['mine.app', 'mine.new'],
  triggers: ['mine.app.moved', 'mine.app.New_one'],
  resources: ['mine.hook', 'mine.chat', 'mine.new'],
  'custom-sources': ['mine.chain', 'mine.new'],
}
/** Generating from a schema takes longer than answering a request. So few are generated, and random changes make many of them. */
const samplesEach = 4
/** These routes are left out: signing out would end the soak's own session, and a stream does not end. */
const leftOut: RouteName[] = ['signOut', 'streamEvents']

/** Requests to every route: a third are valid, the others are generated from the schema, and most of those are changed at random. */
export function* soakRequests(): Generator<SoakRequest> {
  const names = (Object.keys(routes) as RouteName[]).filter((name) => !leftOut.includes(name))
  const payloads = new Map(names.map((name) => [name, samplesOf(routes[name])]))
  const changes = fc.sample(mutations, 500)
  for (let turn = 0; ; turn++) {
    const name = names[turn % names.length] ?? 'getHealth'
    yield requestTo(
      name,
      payloads.get(name)?.[Math.floor(turn / names.length) % samplesEach],
      changes[turn % 500] ?? [],
      turn,
    )
  }
}

function samplesOf(route: Route): unknown[] {
  return route.body ? fc.sample(payloadsOf(route.body), samplesEach) : []
}

function requestTo(name: RouteName, sample: unknown, changes: Mutation[], turn: number): SoakRequest {
  const route: Route = routes[name]
  const known = fullnames[route.path.startsWith('/api/projects') ? 'projects' : route.noun] ?? ['none']
  const fullname = known[turn % known.length] ?? 'none'
  const path = route.path.replace(/:(\w+)/g, (_, param: string) =>
    encodeURIComponent(param === 'fullname' ? fullname : param === 'workspace' ? 'mine' : `none-${turn % 7}`),
  )
  // A random change inserts its value into the payload, so both are copied for each request.
  const payload =
    turn % 3 === 0 ? sensibleBody(name, fullname) : mutate(structuredClone(sample), structuredClone(changes))
  const body = route.body ? JSON.stringify(payload) : undefined
  return { method: route.method, path: `${path}?q=${turn}`, body, isSignedIn: turn % 5 !== 0 }
}

/** Upload requests with noise pictures in the formats and sizes that people use. */
export async function soakPictures(count: number): Promise<SoakRequest[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => pictureRequest(number)))
}

async function pictureRequest(number: number): Promise<SoakRequest> {
  const [width, height] = [200 + ((number * 97) % 600), 100 + ((number * 61) % 400)]
  const format = (['png', 'jpeg', 'webp'] as const)[number % 3] ?? 'png'
  const picture = sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
  const data = (await picture.toFormat(format).toBuffer()).toString('base64')
  const body = JSON.stringify({ filename: `a.${format}`, contentType: `image/${format}`, data, target: 'cover' })
  return { method: 'POST', path: '/api/projects/mine.app/assets/images', body, isSignedIn: true }
}
