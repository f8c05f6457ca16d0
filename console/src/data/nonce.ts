/** The content security policy accepts styles that are written at run time only with this nonce. */
export const nonce: string = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

// react-remove-scroll, which dialogs use, reads the nonce from this variable.
Object.assign(globalThis, { __webpack_nonce__: nonce })
