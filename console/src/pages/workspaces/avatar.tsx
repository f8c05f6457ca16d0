import { Group } from '@mantine/core'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Section } from '../../components/page.tsx'
import { Picture } from '../../components/picture.tsx'
import type { Body } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { ImageButton } from '../../forms/image-button.tsx'

export function AvatarSection({ workspace }: { workspace: Body<'getWorkspace'> }) {
  const { fullname, meta } = workspace
  const upload = useChange('uploadAvatar', { notice: 'Image changed.' })
  return (
    <Section title="Image" about="PNG, JPEG or WebP, up to 1 MB. Metadata is removed.">
      <Group>
        <Picture url={meta.avatar} name={meta.title ?? fullname} size={64} />
        <ImageButton
          verb="Upload image"
          send={(body) => upload.mutateAsync({ fullname, body })}
          isBusy={upload.isPending}
        />
      </Group>
      <ErrorNotice error={upload.error} />
    </Section>
  )
}
