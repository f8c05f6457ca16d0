import { useMutation } from '@tanstack/react-query'
import type { RouteName } from '@tocsin/contract'
import { type Body, type CallArgs, callWhole, type Noun, nounOf } from './api.ts'
import { say } from './notices.ts'
import { queryClient } from './query-client.ts'

type ChangeOptions<Name extends RouteName> = {
  /** A short sentence shown when it worked. */
  said?: string | ((body: Body<Name>) => string)
  /** Other nouns whose lists and records this changes; its own is always read again. */
  touches?: Noun[]
  after?: (body: Body<Name>, args: CallArgs<Name>) => unknown
  /** Its failure is about the credentials just given, not about the session. */
  signsIn?: boolean
}

/** A call that changes something. What was read of the nouns it concerns is read again before `after` runs. */
export function useChange<Name extends RouteName>(name: Name, options: ChangeOptions<Name> = {}) {
  return useMutation<Body<Name>, Error, CallArgs<Name>>({
    mutationFn: async (args) => (await callWhole(name, { ...args })).body,
    meta: { signsIn: options.signsIn === true },
    onSuccess: async (body, args) => {
      await refresh([nounOf(name), ...(options.touches ?? [])])
      const said = typeof options.said === 'function' ? options.said(body) : options.said
      if (said !== undefined) say(said)
      await options.after?.(body, args)
    },
  })
}

export async function refresh(nouns: Noun[]): Promise<void> {
  await Promise.all(nouns.map((noun) => queryClient.invalidateQueries({ queryKey: [noun] })))
}
