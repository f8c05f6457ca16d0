import type { Store } from '../../store/index.ts'
import type { ImageRow } from '../../store/projects/images.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'
import { lockProject, requireProjectLevel } from '../access.ts'
import { done, Picture, requireAnyMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { checkImage } from '../images/index.ts'
import { requireRoom, requireStoredRoom } from '../quotas.ts'
import { notFound, Refusal } from '../refusal.ts'

const bytesMax = 5 * 1024 * 1024
const limits = { icon: { bytesMax, widthMax: 512 }, cover: { bytesMax, widthMax: 2048 } }

/** Stores the picture. The project shows it after a save of its meta with the URL. */
export const uploadProjectImage: Handler<'uploadProjectImage'> = async ({
  account,
  ip,
  params,
  body,
  store,
  now,
  settings,
}) => {
  await requireProjectLevel(store, account, params.fullname, 'admin')
  const image = await checkImage(body, limits[body.target])
  if (!image.ok) throw new Refusal('invalid_image', image.message)
  const fileName = `${body.target}-${image.hash}.${image.extension}`
  return store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'admin')
    await requireRoom(store, settings, project.workspace_id, 'pictureBytes', image.bytes.length)
    await store.images.add({ projectId: project.id }, fileName, image.contentType, image.bytes, now)
    await requireStoredRoom(store, settings, project.workspace_id)
    const { workspace_id: workspaceId, fullname } = project
    const paths = [body.target]
    await recordChange(store, { account, ip, now }, { action: 'image.upload', workspaceId, fullname, paths })
    const url = `/api/projects/${project.fullname}/images/${fileName}`
    return { url, fileName, extension: image.extension, size: image.bytes.length, target: body.target }
  })
}

export const getProjectImage: Handler<'getProjectImage'> = async ({ params, store }) => {
  const image = await findImage(store, params.fullname, params.asset)
  if (!image) throw notFound('There is no such picture.')
  return new Picture(image.bytes, image.content_type)
}

/** A picture's URL still works after a transfer, even if another project has the former name now. */
async function findImage(store: Store, fullname: string, fileName: string): Promise<ImageRow | undefined> {
  const project = await store.projects.find(fullname)
  const image = project && (await store.images.findOfProject(project.id, fileName))
  if (image) return image
  const movedId = await store.aliases.findTarget('project', fullname)
  return movedId === undefined ? undefined : store.images.findOfProject(movedId, fileName)
}

export const deleteProjectImage: Handler<'deleteProjectImage'> = ({
  account,
  ip,
  params,
  preconditions,
  store,
  now,
  settings,
}) =>
  store.tx(async (store) => {
    const project = await lockProject(store, account, params.fullname, 'admin')
    requireAnyMatch(preconditions)
    if (!(await store.images.removeOfProject(project.id, params.asset))) throw notFound('There is no such picture.')
    const meta = await withoutPicture(store, project, params.asset, settings.publicUrl)
    if (meta) await store.projects.update(project.id, { ...project, meta }, now)
    const { workspace_id: workspaceId, fullname } = project
    const paths = [params.asset]
    await recordChange(store, { account, ip, now }, { action: 'image.delete', workspaceId, fullname, paths })
    return done
  })

type Meta = ReadableProject['meta']
const fields = ['icon', 'avatar', 'cover'] as const

/** The project's meta without the fields that point at this picture; undefined if no field does. */
async function withoutPicture(
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
