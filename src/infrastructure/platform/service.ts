import { Context, Effect, Layer, type Scope } from "effect"

export type Service<Self, Shape, Made> = Context.ServiceClass<Self, string, Shape> & { readonly layer: Made }

/**
 * A service with the shape of the object that its effect gives, and its layer: `class Keys extends service<Keys>()(
 * "swap-broker/accounts/Keys", Effect.gen(function* () { … })) {}`. The layer of what takes options takes them, too.
 */
export const service = <Self>() => {
  function made<Shape, E, R>(
    key: string,
    make: Effect.Effect<Shape, E, R>,
  ): Service<Self, Shape, Layer.Layer<Self, E, Exclude<R, Scope.Scope>>>
  function made<Options, Shape, E, R>(
    key: string,
    make: (options: Options) => Effect.Effect<Shape, E, R>,
  ): Service<Self, Shape, (options: Options) => Layer.Layer<Self, E, Exclude<R, Scope.Scope>>>
  function made<Options, Shape, E, R>(
    key: string,
    make: Effect.Effect<Shape, E, R> | ((options: Options) => Effect.Effect<Shape, E, R>),
  ) {
    const Made = Context.Service<Self, Shape>()(key)
    const layer = Effect.isEffect(make)
      ? Layer.effect(Made, make)
      : (options: Options) => Layer.effect(Made, make(options))
    return Object.assign(Made, { layer })
  }
  return made
}
