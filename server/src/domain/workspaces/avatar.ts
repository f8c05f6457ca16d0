import { requireLevel } from '../access.ts'
import { Picture } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { checkImage } from '../images/index.ts'
import { requireRoom, requireStoredRoom } from '../quotas.ts'
import { notFound, Refusal } from '../refusal.ts'
import { workspaceView } from './read.ts'

const limits = { bytesMax: 1024 * 1024, widthMax: 512 }

export const uploadAvatar: Handler<'uploadAvatar'> = async (context) => {
  const { account, params, body, store, now, settings } = context
  await requireLevel(store, account, params.fullname, 'admin')
  const image = await checkImage(body, limits)
  if (!image.ok) throw new Refusal('invalid_image', image.message)
  const fileName = `avatar-${image.hash}.${image.extension}`
  const url = `/api/workspaces/${params.fullname}/avatar/${fileName}`
  return store.tx(async (store) => {
    const member = await requireLevel(store, account, params.fullname, 'admin')
    const row = await store.workspaces.lock(member.id)
    if (!row) throw notFound()
    await requireRoom(store, settings, row.id, 'pictureBytes', image.bytes.length)
    await store.images.add({ workspaceId: row.id }, fileName, image.contentType, image.bytes, now)
    await requireStoredRoom(store, settings, row.id)
    const updated = await store.workspaces.update(row.id, { ...row, meta: { ...row.meta, avatar: url } }, now)
    const change = {
      action: 'workspace.save',
      workspaceId: row.id,
      fullname: row.fullname,
      paths: ['meta.avatar'],
    } as const
    await recordChange(store, context, change)
    const workspace = await workspaceView(store, updated, member.level)
    return { url, fileName, extension: image.extension, size: image.bytes.length, workspace }
  })
}

export const getAvatar: Handler<'getAvatar'> = async ({ params, store }) => {
  const image = await store.images.findOfWorkspace(params.fullname, params.fileName)
  if (!image) throw notFound('There is no such picture.')
  return new Picture(image.bytes, image.content_type)
}
