import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

export function PageLoading() {
  return (
    <Stack gap="md" role="status" aria-busy="true">
      <VisuallyHidden component="h1">Loading</VisuallyHidden>
      <Skeleton height={28} width={220} />
      <Skeleton height={16} width="60%" />
      <Skeleton height={220} />
    </Stack>
  )
}
