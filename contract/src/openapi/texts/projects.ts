import type { projectRoutes } from '../../routes/projects.ts'
import type { TextsOf } from './operation-text.ts'

export const projectTexts: TextsOf<typeof projectRoutes> = {
  listProjects: {
    description:
      'Lists the projects that the account may read, ordered by fullname. `scope` narrows the list: `marketplace` has public and free projects, `backend` has those whose workspace the account may edit, `all` is the default.',
  },
  getProjectCreateCapability: {
    description:
      'Says whether the account can create projects and private projects, and how many private ones it has used. A limit of null means that there is none.',
  },
  openAccessLink: {
    hasTag: true,
    description:
      'Answers the project of the link and gives the account read access to it. The first opening by an account counts as one usage; later ones, and those of members, do not count. A dead link answers 410.',
    refusals: ['link_expired', 'link_exhausted', 'link_revoked'],
  },
  getProject: {
    hasTag: true,
    description:
      'Answers a project that the account may read. The former name of a transferred project still finds it; the answer shows the current one.',
  },
  saveProject: {
    hasTag: true,
    description:
      'Creates the project or saves it in full: an omitted optional field is cleared. `accessLevel`, `visibility` and `public` describe one state; `accessLevel` wins, then `visibility`. Needs the role admin in the workspace.',
    refusals: ['fullname_mismatch', 'fullname_invalid', 'access_level_conflict', 'limit_reached', 'not_found'],
  },
  deleteProject: {
    description:
      'Deletes the project with its triggers, drafts, templates, links, pictures and project-scoped resources, and cancels a pending transfer. Only an owner may do that.',
  },
  listAccessLinks: {
    description: 'Lists the access links of a project with their state and usages. Needs the role admin.',
    refusals: ['forbidden'],
  },
  createAccessLink: {
    description:
      'Creates a link that gives other accounts read access to a private project. `maxUsages` limits how many accounts can open it, and `expiresAt` when. Needs the role admin.',
    refusals: ['project_not_private'],
  },
  deleteAccessLink: {
    description:
      'Revokes the link. It cannot be opened any more, and accounts that have access through this link alone lose it. Needs the role admin.',
  },
  uploadProjectImage: {
    description:
      'Stores a png, jpeg or webp picture of at most 5 MiB, sent as base64, without its metadata. Save the project with the answered URL in its `meta` to show it. Pictures that nothing refers to are deleted after 24 hours. Needs the role admin.',
    refusals: ['invalid_image', 'limit_reached'],
  },
  getProjectImage: {
    description:
      'Answers the bytes of the picture to everybody. The name holds a hash of the content, so the answer may be cached forever.',
  },
  deleteProjectImage: {
    description:
      'Deletes the picture and clears the fields of the project’s `meta` that point at it. Needs the role admin.',
  },
  listAddons: {
    description:
      'Lists the add-on subscriptions of a project. Some of their states block a transfer. Needs the role admin.',
    refusals: ['forbidden'],
  },
  createAddon: {
    hasTag: true,
    description: 'Adds an add-on subscription to the project, for a billing system. Needs the role admin.',
  },
  saveAddon: {
    hasTag: true,
    description:
      'Sets the state of an add-on subscription. Every state may follow every other, because the billing system knows the order. Needs the role admin.',
  },
  listProjectSecrets: {
    description:
      'Lists the names of the secrets with the times of their saves. No answer ever shows a value. Needs the role developer.',
    refusals: ['forbidden'],
  },
  saveProjectSecret: {
    hasTag: true,
    description:
      'Stores the value encrypted. Provider fields name it as `{{secrets.<name>}}`, and it is filled in when the provider runs. Saving again replaces the value. Needs the role developer.',
    refusals: ['limit_reached'],
  },
  deleteProjectSecret: {
    description:
      'Deletes the secret of the project. Providers that name it fail with an issue from then on. Needs the role developer.',
  },
}
