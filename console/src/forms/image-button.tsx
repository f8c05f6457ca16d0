import { Button, FileButton } from '@mantine/core'
import { IconImage } from '../components/icons.tsx'
import { imageTypes, readImage } from './image-file.ts'

type ImageButtonProps = {
  verb: string
  isBusy: boolean
  /** Uploads the image. The caller shows the error. */
  send: (image: Awaited<ReturnType<typeof readImage>>) => Promise<unknown>
}

/** A button that opens the file dialog and uploads the chosen image. */
export function ImageButton({ verb, isBusy, send }: ImageButtonProps) {
  const choose = async (file: File | null) => {
    if (file) await send(await readImage(file)).catch(() => undefined)
  }
  return (
    <FileButton
      accept={imageTypes}
      onChange={(file) => void choose(file)}
      inputProps={{ 'aria-label': verb, tabIndex: -1 }}
    >
      {(props) => (
        <Button variant="default" leftSection={<IconImage />} loading={isBusy} {...props}>
          {verb}
        </Button>
      )}
    </FileButton>
  )
}
