import { type RouteName, type Routes, routes } from '@tocsin/contract'
import { type Answered, type Client, createClient } from '@tocsin/sdk'

/** The one door to the service. The browser's cookie says who we are; the token beside it goes along with changes. */
export const api = createClient({ baseUrl: location.origin, csrf: readCsrfToken })

/** Set when somebody signs in and cleared when he signs out, so it also tells whether asking who we are makes sense. */
export function readCsrfToken(): string | undefined {
  return /(?:^|;\s*)tocsin_csrf=([^;]+)/.exec(document.cookie)?.[1]
}

export type Noun = Routes[RouteName]['noun']
export type CallArgs<Name extends RouteName> = Parameters<Client[Name]>[0]
export type Body<Name extends RouteName> = Answered<Name>['body']

/** What a list answers, one of them: `Item<'listProjects'>` is a project. */
export type Item<Name extends RouteName> = Body<Name> extends readonly (infer One)[] ? One : never

export function nounOf(name: RouteName): Noun {
  return routes[name].noun
}

/** A call by a name that is only known at run time: here the compiler cannot tie the arguments to the name. */
export function callWhole<Name extends RouteName>(name: Name, args: object): Promise<Answered<Name>> {
  const call = api.whole[name] as unknown as (args: object) => Promise<Answered<Name>>
  return call(args)
}
