import { type RouteName, type Routes, routes } from '@tocsin/contract'
import { type Answered, type Client, createClient } from '@tocsin/sdk'

/**
 * The SDK client. The session cookie authenticates; requests that change data also send the CSRF token. The query client
 * retries what it reads, and a person repeats a change, so the SDK retries nothing.
 */
export const api = createClient({ baseUrl: location.origin, csrf: readCsrfToken, retries: 0 })

/** The service sets this cookie at sign-in and clears it at sign-out, so its absence means that nobody is signed in. */
export function readCsrfToken(): string | undefined {
  return /(?:^|;\s*)tocsin_csrf=([^;]+)/.exec(document.cookie)?.[1]
}

export type Noun = Routes[RouteName]['noun']
export type CallArgs<Name extends RouteName> = Parameters<Client[Name]>[0]
export type Body<Name extends RouteName> = Answered<Name>['body']

/** One element of a list route: `Item<'listProjects'>` is a project. */
export type Item<Name extends RouteName> = Body<Name> extends readonly (infer One)[] ? One : never

export function nounOf(name: RouteName): Noun {
  return routes[name].noun
}

/** Calls a route by a name that is known only at run time, so the compiler cannot check the arguments against the name. */
export function callWhole<Name extends RouteName>(name: Name, args: object): Promise<Answered<Name>> {
  const call = api.whole[name] as unknown as (args: object) => Promise<Answered<Name>>
  return call(args)
}
