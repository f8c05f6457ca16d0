import type { Store } from '../../../store/index.ts'
import type { Context } from '../../handler.ts'
import type { Identity } from '../identity.ts'
import { tellOwner } from '../mails/mail-job.ts'
import { placeText } from './place.ts'

/** Tells the owner when a token is used from a new place. */
export type TokenPlaces = {
  note(store: Store, identity: Identity, from: Pick<Context<'signIn'>, 'caller' | 'now' | 'engine'>): Promise<void>
}

/** A token in a pipeline is used from many addresses, so its owner is told once a day. */
const tellEveryMs = 24 * 3_600_000
const rememberMs = 24 * 3_600_000
const rememberedMax = 20_000

/** A process asks the store about each token and place once a day, so a use costs nothing more. */
export function makeTokenPlaces(): TokenPlaces {
  let seen = new Map<string, number>()
  return {
    async note(store, { account, tokenId, tokenKind }, { caller, now, engine }) {
      if (tokenKind !== 'personal' || tokenId === undefined || !engine.channels.mail) return
      const place = placeText(caller)
      const key = `${tokenId} ${place}`
      if (now.getTime() - (seen.get(key) ?? 0) < rememberMs) return
      if (seen.size >= rememberedMax) seen = new Map()
      seen.set(key, now.getTime())
      const use = { accountId: account.id, subject: tokenId, place }
      const work = store.tx(async (store) => {
        const isNew = await store.places.record(use, now, new Date(now.getTime() - tellEveryMs))
        if (isNew) await tellOwner({ engine, store, caller, now }, account.id, 'token at a new place')
      })
      // A store that cannot write still answers reads. The next use is noted instead.
      await work.catch(() => seen.delete(key))
    },
  }
}
