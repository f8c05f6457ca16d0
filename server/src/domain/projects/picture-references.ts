import type { Store } from '../../store/index.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'

type Meta = ReadableProject['meta']
const fields = ['icon', 'avatar', 'cover'] as const

/** The project's meta without the fields that point at this picture; undefined if no field does. */
export async function withoutPicture(
  store: Store,
  project: ReadableProject,
  fileName: string,
  publicUrl: string,
): Promise<Meta | undefined> {
  const meta = { ...project.meta }
  for (const field of fields) {
    const owner = ownerInUrl(meta[field], fileName, publicUrl)
    if (owner !== undefined && (await isNameOf(store, owner, project))) delete meta[field]
  }
  const isSame = fields.every((field) => meta[field] === project.meta[field])
  return isSame ? undefined : meta
}

/** The project name in an asset URL of this picture, with or without the service's own address in front. */
function ownerInUrl(url: string | undefined, fileName: string, publicUrl: string): string | undefined {
  const origin = publicUrl.replace(/\/$/, '')
  const path = url?.startsWith(`${origin}/`) ? url.slice(origin.length) : url
  const [owner, rest] = path?.match(/^\/api\/projects\/([^/]+)\/images\/([^/?#]+)/)?.slice(1) ?? []
  return rest === fileName ? owner : undefined
}

async function isNameOf(store: Store, name: string, project: ReadableProject): Promise<boolean> {
  return name === project.fullname || (await store.aliases.findTarget('project', name)) === project.id
}
