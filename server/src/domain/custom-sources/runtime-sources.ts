import type { RuntimeSource } from '@tocsin/contract'
import type { z } from 'zod'
import { networkOf } from '../../engine/sources/bindings.ts'
import { networkFacts } from '../../engine/sources/network-facts.ts'
import type { ReadableSource } from '../../store/following/custom-sources.ts'
import type { FollowerRow } from '../../store/following/followers.ts'
import { Page } from '../answers.ts'
import type { Handler } from '../handler.ts'
import type { Network } from '../settings.ts'
import { shownRuntime } from './views.ts'

type View = z.output<typeof RuntimeSource>
const hourMs = 3_600_000

/** Lists every source that a trigger of this account can use. */
export const listRuntimeSources: Handler<'listRuntimeSources'> = async ({ account, query, store, now, settings }) => {
  const { limit, cursor = '' } = query
  const networks = settings.networks.filter(({ fullname }) => fullname > cursor)
  const { rows, next } = await store.customSources.listReadable(account.id, {}, { limit, after: cursor })
  const ids = rows.map(({ id }) => id)
  const errors = await store.sourceLogs.countErrors(ids, new Date(now.getTime() - hourMs))
  const found = await store.followers.findAll(networks.map(({ fullname }) => fullname))
  const followers = new Map(found.map((follower) => [follower.source, follower]))
  const views = [
    ...networks.map((network) => networkView(network, followers.get(network.fullname))),
    ...rows.map((row) => sourceView(row, errors.get(row.id) ?? 0)),
  ].sort((a, b) => (a.fullname < b.fullname ? -1 : 1))
  const shown = views.slice(0, limit)
  return new Page(shown, views.length > limit || next !== undefined ? shown.at(-1)?.fullname : undefined)
}

/** A network is followed only while triggers listen to it. */
function networkView(source: Network, follower: FollowerRow | undefined): View {
  const { fullname, title, kind, endpoints, networkName, explorer, nativeCurrency, updatedAt } = source
  const network = networkOf({ fullname, kind, isBuiltIn: true }, {})
  const facts = {
    ...(networkName !== undefined && { networkName }),
    ...(explorer && { explorer }),
    ...(nativeCurrency && { nativeCurrency }),
  }
  const common = { fullname, title, kind, network, ...facts, configured: endpoints.length > 0, errorsLastHour: 0 }
  const status = follower?.state.status
  if (!follower || !status) return { ...common, status: 'stopped', updatedAt: updatedAt.toISOString() }
  return { ...common, status: status.status, ...progressOf(follower), updatedAt: status.updatedAt }
}

/** The lag of a source in error is not known. */
function progressOf({ head, number, state }: FollowerRow): Pick<View, 'latestBlock' | 'processedBlock' | 'lag'> {
  return {
    ...(head !== null && { latestBlock: head }),
    ...(number !== null && { processedBlock: number }),
    ...(head !== null && number !== null && state.status?.status !== 'error' && { lag: Math.max(0, head - number) }),
  }
}

function sourceView(row: ReadableSource, errorsLastHour: number): View {
  const { latestBlock, processedBlock, lag } = shownRuntime(row) ?? {}
  const icon = row.meta.icons?.default
  return {
    fullname: row.fullname,
    title: row.meta.title,
    ...networkFacts(row.kind, row.runtime ?? {}, row.settings),
    ...(icon !== undefined && { icon }),
    network: networkOf({ ...row, isBuiltIn: false }, row.runtime ?? {}),
    status: row.status.status,
    configured: true,
    ...(latestBlock !== undefined && { latestBlock }),
    ...(processedBlock !== undefined && { processedBlock }),
    ...(lag !== undefined && { lag }),
    errorsLastHour,
    updatedAt: row.status.updatedAt,
  }
}
