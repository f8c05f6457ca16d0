/** The invite travels behind the `#`, which browsers keep to themselves: no server logs it. */
export function inviteLink(workspace: string, invite: string): string {
  return `${location.origin}/join/${workspace}#${invite}`
}
