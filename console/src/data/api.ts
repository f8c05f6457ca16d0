import { type RouteName, type Routes, routes } from '@tocsin/contract'
import { type Answered, type Args, createClient } from '@tocsin/sdk'

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
export type { Args }
export type Body<Name extends RouteName> = Answered<Name>['body']

/** One element of a list route: `Item<'listProjects'>` is a project. */
export type Item<Name extends RouteName> = Body<Name> extends readonly (infer One)[] ? One : never

export function nounOf(name: RouteName): Noun {
  return routes[name].noun
}

type Calls = { [Name in RouteName]: (args: Args<Name>) => Promise<Answered<Name>> }
const calls: Calls = api.whole

/** Calls a route by its name, and returns the headers of the answer too. */
export function callWhole<Name extends RouteName>(name: Name, args: Args<Name>): Promise<Answered<Name>> {
  return calls[name](args)
}
