import type { workspaceRoutes } from '../../routes/workspaces.ts'
import type { TextsOf } from './operation-text.ts'

export const workspaceTexts: TextsOf<typeof workspaceRoutes> = {
  listWorkspaces: {
    description:
      'Lists the workspaces that the account is a member of, ordered by fullname, with the role of the account in each.',
  },
  getWorkspace: {
    hasTag: true,
    description: 'Answers a workspace that the account is a member of. Owners and admins also see its `invite`.',
  },
  saveWorkspace: {
    hasTag: true,
    description:
      'Creates the workspace if the name is free: every account may do that and becomes its owner. Otherwise it is a full save by an owner or admin: an omitted optional field is cleared. `createOnly` refuses to touch an existing workspace. `resetInvite` replaces the invite, so the former one stops working.',
    refusals: ['fullname_mismatch', 'fullname_invalid', 'reserved_name', 'already_exists'],
  },
  deleteWorkspace: {
    description:
      'Deletes a workspace that owns no project and no custom source. Its resources, members and avatar go with it. Only an owner may do that.',
    refusals: ['workspace_not_empty'],
  },
  getWorkspaceCounts: {
    description:
      'Answers how many alerts of the workspace were recorded, how many deliveries arrived or were given up, and how many attempts failed, for each hour of the range. Hours in which nothing happened have zeros. The counts are a few seconds old. Every member may read them.',
  },
  getWorkspaceSummary: {
    description:
      'Answers what needs attention: resources whose deliveries fail, sources of the workspace or of its triggers that are lagging or in error, and alerts that fire. Owners and admins see all firing alerts, other members their own.',
  },
  uploadAvatar: {
    description:
      'Stores a png, jpeg or webp picture of at most 1 MiB, sent as base64, without its metadata. Save the workspace with the answered URL in `meta.avatar` to show it. Pictures that nothing refers to are deleted after 24 hours. Needs the role admin.',
    refusals: ['invalid_image', 'limit_reached'],
  },
  getAvatar: {
    description:
      'Answers the bytes of the picture to everybody. The name holds a hash of the content, so the answer may be cached forever.',
  },
  listAcl: {
    description:
      'Lists the members of a workspace with their roles. Every member may read it; owners and admins also see e-mail addresses.',
  },
  joinWorkspace: {
    description:
      'Makes the account a member: with the role `user` by the invite of the workspace, or with the role of an invitation that was sent by e-mail. An invitation works once, and only for an account with its e-mail address; if the account has tokens, passkeys or linked sign-ins, the address must be verified (`email_not_verified`). A wrong invite and a missing workspace get the same answer. A member who joins again keeps the role, unless an invitation has a higher one.',
    refusals: ['link_expired', 'link_exhausted', 'link_revoked', 'email_not_verified'],
  },
  saveAclEntry: {
    description:
      'Sets the role of a member: owner, admin, developer or user. Admins can change everybody but owners, and cannot appoint owners. The last owner keeps the role.',
    refusals: ['last_owner'],
  },
  deleteAclEntry: {
    description:
      'Removes a member from the workspace. Admins can remove everybody but owners, and every member can leave. Transfers that the member offered are cancelled.',
    refusals: ['last_owner'],
  },
  listInvitations: {
    description:
      'Lists the invitations that were sent by e-mail, also those that were accepted, have expired or were revoked. Needs the role admin.',
    refusals: ['forbidden'],
  },
  createInvitation: {
    description:
      'Sends an e-mail with a link to join the workspace with a role. The link works once, until `expiresAt` (default: seven days), and only for an account with this e-mail address; a person without an account creates one first. Needs the role admin, and owner to invite owners; the link ends when the person who sent it loses that role. Without an SMTP server the feature is unavailable.',
    refusals: ['feature_unavailable', 'upstream_failed'],
  },
  deleteInvitation: {
    description:
      'Ends an invitation that nobody has accepted: the link in its e-mail stops working. Needs the role admin.',
  },
  listAudit: {
    description:
      'Lists the changes of the workspace and of what it owns, newest first: who made them, from which IP address, and which fields they changed, never the values. Entries are kept for a year unless the operator set another time. Needs the role admin.',
    refusals: ['forbidden'],
  },
}
