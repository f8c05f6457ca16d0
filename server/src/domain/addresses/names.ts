import type { AddressName } from '@tocsin/contract'
import { waitAtMost } from '../../engine/base/deadline.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { FindNames } from '../../engine/sources/chain.ts'
import { requireChain } from '../../engine/sources/chains.ts'
import { requireMember } from '../access.ts'
import { requireReadableSource } from '../find-source.ts'
import type { Handler } from '../handler.ts'
import { type Asking, atSource } from '../look-ups.ts'
import { checkAddress } from './formats/index.ts'

/** How long pages wait for a name service. What it answers later is not used. */
const namesMs = 3_000
const atOnce = 8
const [hourMs, dayMs] = [3_600_000, 24 * 3_600_000]

type Named = Pick<AddressName, 'name' | 'from'>
/** The address as sent, and its normal form. */
type Sought = { address: string; normal: string }

/** The caller's own names come first, then those of the workspace, those of known contracts, then those of the chain's name service. A text that is no address has no name. */
export const findAddressNames: Handler<'findAddressNames'> = async (context) => {
  const { body, store, account, testLimits, now } = context
  const { rules, loadFindNames } = requireChain(await requireReadableSource(context, body.source))
  const { type } = rules.description.address
  const workspaceId = body.workspace && (await requireMember(store, account, body.workspace)).id
  const sought = [...new Set(body.addresses)].flatMap((address): Sought[] => {
    const checked = checkAddress(type, address)
    return checked.ok ? [{ address, normal: checked.normal }] : []
  })
  const normals = sought.map(({ normal }) => normal)
  const names = new Map<string, Named>()
  if (workspaceId !== undefined)
    for (const [normal, name] of await store.addresses.findAliases({ workspaceId }, type, normals))
      names.set(normal, { name, from: 'workspace' })
  for (const [normal, name] of await store.addresses.findAliases({ accountId: account.id }, type, normals))
    names.set(normal, { name, from: 'address-book' })
  if (loadFindNames) {
    await addKept(context, body.source, normals, names)
    const unnamed = await withoutAnswer(
      context,
      body.source,
      normals.filter((normal) => !names.has(normal)),
    )
    if (unnamed.length > 0) {
      const findNames = await loadFindNames()
      await testLimits.run(account.id, now, () => addFoundNames(context, body.source, findNames, unnamed, names))
    }
  }
  return sought.flatMap(({ address, normal }) => {
    const named = names.get(normal)
    return named ? [{ address, ...named }] : []
  })
}

type Names = Map<string, Named>

/** The names that earlier look-ups kept. An empty ENS name means that the address has none. */
async function addKept(
  { store, now }: Asking,
  source: string,
  normals: readonly string[],
  names: Names,
): Promise<void> {
  const kinds = [
    ['contract-name', 'contract'],
    ['ens-name', 'ens'],
  ] as const
  for (const [kind, from] of kinds) {
    const unnamed = normals.filter((normal) => !names.has(normal))
    const kept = await store.lookUps.find(
      kind,
      unnamed.map((normal) => keyOf(source, normal)),
      now,
    )
    for (const normal of unnamed) {
      const name = kept.get(keyOf(source, normal))
      if (typeof name === 'string' && name !== '') names.set(normal, { name, from })
    }
  }
}

async function withoutAnswer({ store, now }: Asking, source: string, normals: readonly string[]): Promise<string[]> {
  const kept = await store.lookUps.find(
    'ens-name',
    normals.map((normal) => keyOf(source, normal)),
    now,
  )
  return normals.filter((normal) => !kept.has(keyOf(source, normal)))
}

/** A page shows without names if the nodes are slow or fail. What was read in time is used and kept. */
async function addFoundNames(
  asking: Asking,
  source: string,
  findNames: FindNames,
  normals: readonly string[],
  names: Names,
): Promise<void> {
  const found = new Map<string, string>()
  const reading = atSource(asking, source, async ({ request }) => {
    const nameOf = await findNames(request)
    for (let at = 0; at < normals.length; at += atOnce)
      await Promise.all(
        normals.slice(at, at + atOnce).map(async (normal) => {
          found.set(normal, (await nameOf?.(normal)) ?? '')
        }),
      )
  }).catch((error: unknown) => {
    if (!(error instanceof UpstreamError)) throw error
  })
  await waitAtMost(reading, namesMs)
  for (const [normal, name] of [...found]) {
    await keep(asking, source, normal, name)
    if (name !== '') names.set(normal, { name, from: 'ens' })
  }
}

async function keep({ store, now }: Asking, source: string, normal: string, name: string): Promise<void> {
  const expiresAt = new Date(now.getTime() + (name === '' ? hourMs : dayMs))
  await store.lookUps.save('ens-name', keyOf(source, normal), name, expiresAt)
}

function keyOf(source: string, normal: string): string {
  return `${source} ${normal}`
}
