/** `final` is ours or code, and stays as it is; `prose` still has to be neutralised, together with its neighbours. */
export type Piece = { kind: 'prose' | 'final'; text: string };
