import { Button, Group, Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { isSameOrigin, Picture } from '../../components/picture.tsx'
import { useChange } from '../../data/changes.ts'
import type { Entity } from '../../data/queries.ts'
import { ImageButton } from '../../forms/image-button.tsx'
import type { readImage } from '../../forms/image-file.ts'
import { type Project, payloadOf } from '../../layouts/project/access.ts'
import classes from '../../layouts/project/project.module.css'

type Target = 'icon' | 'cover'

/** Uploads icon and cover. A save of the project then refers to the uploaded file. */
export function PicturesSection({ entity }: { entity: Entity<Project> }) {
  const { meta } = entity.view
  return (
    <Section title="Images" about="PNG, JPEG or WebP, up to 5 MB. Metadata is removed.">
      <Stack gap="lg">
        <Group align="center">
          <Picture url={meta.icon} name={meta.title} size={64} />
          <Change target="icon" entity={entity} />
        </Group>
        <Stack gap="xs">
          {isSameOrigin(meta.cover) ? (
            <img className={classes.banner} src={meta.cover} alt="" />
          ) : (
            <Text c="dimmed">No cover yet.</Text>
          )}
          <Change target="cover" entity={entity} />
        </Stack>
      </Stack>
    </Section>
  )
}

function Change({ target, entity: { view, tag } }: { target: Target; entity: Entity<Project> }) {
  const { fullname } = view
  const save = useChange('saveProject', { notice: `${target === 'icon' ? 'Icon' : 'Cover'} changed.` })
  const upload = useChange('uploadProjectImage')
  const put = (url: string | undefined) => {
    const payload = payloadOf(view)
    const body = { ...payload, meta: { ...payload.meta, [target]: url, ...(target === 'icon' && { avatar: url }) } }
    return save.mutateAsync({ fullname, body, ...(tag !== undefined && { ifMatch: tag }) })
  }
  const send = async (image: Awaited<ReturnType<typeof readImage>>) =>
    put((await upload.mutateAsync({ fullname, body: { ...image, target } })).url)
  return (
    <div>
      <Group gap="xs">
        <ImageButton verb={`Upload ${target}`} isBusy={upload.isPending || save.isPending} send={send} />
        {view.meta[target] !== undefined && (
          <Button variant="default" onClick={() => void put(undefined).catch(() => undefined)}>
            Remove {target}
          </Button>
        )}
      </Group>
      <ErrorNotice error={upload.error ?? save.error} />
    </div>
  )
}
