/** How our own Go is compiled, by builds, vet and tests alike: what one of them has compiled, the others do not compile again. */
export const GO_ENV = { CGO_ENABLED: '0', GOFLAGS: '-trimpath -buildvcs=false' };
