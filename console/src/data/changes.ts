import { useMutation } from '@tanstack/react-query'
import type { RouteName } from '@tocsin/contract'
import { type Args, type Body, callWhole, type Noun, nounOf } from './api.ts'
import { notifySuccess } from './notices.ts'
import { queryClient } from './query-client.ts'

type ChangeOptions<Name extends RouteName> = {
  /** A short message after success. */
  notice?: string | ((body: Body<Name>) => string)
  /** Other nouns whose cached data this call changes. The route's own noun is always refetched. */
  refetches?: Noun[]
  after?: (body: Body<Name>, args: Args<Name>) => unknown
  /** The call signs in, so its failure does not mean that the session ended. */
  signsIn?: boolean
}

/** A mutation. It refetches the data of all nouns it changes before `after` runs. */
export function useChange<Name extends RouteName>(name: Name, options: ChangeOptions<Name> = {}) {
  return useMutation<Body<Name>, Error, Args<Name>>({
    mutationFn: async (args) => (await callWhole(name, args)).body,
    meta: { signsIn: options.signsIn === true },
    onSuccess: async (body, args) => {
      // Any change may be drift of a stack.
      await refresh([nounOf(name), 'stacks', ...(options.refetches ?? [])])
      const notice = typeof options.notice === 'function' ? options.notice(body) : options.notice
      if (notice !== undefined) notifySuccess(notice)
      await options.after?.(body, args)
    },
  })
}

export async function refresh(nouns: Noun[]): Promise<void> {
  await Promise.all(nouns.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))
}
