import { type DefinitionKind, definitionPayloads } from '@tocsin/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { foldersOfKinds } from '../cli/src/folder/kinds.ts'
import { readFolder } from '../cli/src/folder/read-folder.ts'
import type { PulledVariable } from '../cli/src/stack/pull.ts'
import { makeWorkbench } from './harness/cli.ts'
import {
  addressList,
  customSource,
  type Person,
  project,
  resource,
  sharedHarness,
  template,
  trigger,
} from './harness/index.ts'

const name = 'roundcorp.all'

/** Texts that YAML and variables could change. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((each) => each.trim() === each && !each.includes('\0'))
const long = fc
  .array(fc.constantFrom('a', ' ', '\n', '\t', '#', ':', '- ', '"', "'", `\${env:X}`, '$', 'é', '|', '1'), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''))
const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
/** A text in which nothing is taken for a template. */
const message = text.map((each) => `x${each.replaceAll(/[{}\\]/g, '')}`)
const tags = fc.uniqueArray(text, { maxLength: 3 })
const labels = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), long, { maxKeys: 3 })
const addresses = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`)

/** An entity of every kind. Those that no other needs are left out at times. */
const stacks = fc.record(
  {
    source: fc
      .record(
        {
          meta: fc.record({ title: text }),
          endpoints: fc.uniqueArray(
            word.map((key) => `http://127.0.0.1:9/${key}`),
            { minLength: 1, maxLength: 3 },
          ),
          batchMaxCount: fc.integer({ min: 1, max: 100 }),
        },
        { requiredKeys: ['meta', 'endpoints'] },
      )
      .map((edits) => {
        const { mode, ...source } = customSource(`${name}-chain`, edits)
        return source
      }),
    'address-list': fc
      .record({ addresses: fc.subarray(addresses), meta: fc.record({ title: text }) })
      .map((edits) => addressList(`${name}-list`, edits)),
    project: fc
      .record({ tags, labels, meta: fc.record({ title: text, description: long }) })
      .map((edits) => project(name, edits)),
    resource: fc
      .record({
        tags,
        labels,
        meta: fc.record({ title: text }),
        url: word.map((path) => `https://example.org/${path}`),
      })
      .map(({ url, ...edits }) => resource(`${name}-hook`, { ...edits, data: { url, secret: whsec }, project: name })),
    trigger: fc
      .record({ tags, labels, meta: fc.record({ title: text, description: long }), script: long })
      .map(({ script, ...edits }) =>
        trigger(`${name}.moved`, {
          ...edits,
          providers: [
            { id: 'rate', type: 'http', url: 'https://api.example.org', headers: { key: `k-${edits.tags}` } },
          ],
          transform: { language: 'javascript', source: `(${JSON.stringify(script)})` },
        }),
      ),
    template: fc
      .record({
        meta: fc.record({ title: text, description: long }),
        schema: fc.constantFrom({ wallet: 'string' }, { wallet: { type: 'string', default: '0x2' } }),
      })
      .map((edits) => ({ key: 'main', ...template(name, edits) })),
    subscription: fc
      .record({
        values: text.map((wallet) => ({ wallet })),
        overrides: fc.record({ title: message }),
        policy: fc.constantFrom({ type: 'throttle' as const, per: '1m' }, { type: 'throttle' as const, per: '2h' }),
        meta: fc.record({ title: text }),
      })
      .map((edits) => ({
        ...{ key: 'moves', workspace: 'roundcorp', project: name, template: 'main', topics: ['moves'] },
        ...{ ...edits, resources: [`${name}-hook`] },
      })),
  },
  { requiredKeys: ['project', 'resource', 'trigger', 'template'] },
)
const whsec = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`

test('random edits of every kind are planned, applied and pulled into another folder as they were written', async () => {
  const house = await sharedHarness()
  const { owner } = await house.team('roundcorp')
  await fc.assert(
    fc.asyncProperty(stacks, fc.boolean(), (written, isJson) => roundTrip(house.url, owner, written, isJson)),
    { numRuns: 6 },
  )
})

type Written = Partial<Record<DefinitionKind, object>>

async function roundTrip(url: string, owner: Person, written: Written, isJson: boolean): Promise<void> {
  const env = { TOCSIN_URL: url, TOCSIN_TOKEN: owner.token }
  const [one, two] = [makeWorkbench(env), makeWorkbench(env)]
  for (const each of [one, two]) each.write('tocsin.yaml', 'apiVersion: 1\nworkspace: roundcorp\nstack: random\n')
  // A variable in a text would be filled in, so a file writes it with two dollars.
  const escaped = JSON.stringify(written).replaceAll(/\$(?=\{env:)/g, () => '$$')
  for (const [kind, payload] of Object.entries<unknown>(JSON.parse(escaped)))
    one.write(
      `${foldersOfKinds[kind as DefinitionKind]}/x.${isJson ? 'json' : 'yaml'}`,
      isJson ? JSON.stringify(payload) : stringify(payload),
    )
  expect(await one.inside('apply', '--prune')).toMatchObject({ code: 0, err: '' })
  expect(await one.inside('plan')).toMatchObject({ code: 0 })
  const pulled: { variables: PulledVariable[] } = JSON.parse((await two.inside('pull', '--json')).out)
  for (const { name, kind, path } of pulled.variables) two.env[name] = String(valueAt(written[kind], path))
  expect(await two.inside('plan', '--prune')).toMatchObject({ code: 0, err: '' })
  const { entities } = readFolder({ cwd: two.folder, folder: undefined, env: two.env })
  const read = entities.map(({ kind, payload }) => [kind, definitionPayloads[kind].parse(payload)])
  expect(Object.fromEntries(read)).toMatchObject(written)
  expect(entities).toHaveLength(Object.keys(written).length)
  one.remove()
  two.remove()
}

function valueAt(payload: object | undefined, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], payload)
}
