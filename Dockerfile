# retrylint drives the go command and needs the packages that the code imports, so its image is one of Go:
#
#   docker build -t retrylint .
#   docker run --rm -v "$PWD:/src" -v retrylint-cache:/cache retrylint ./...
ARG GO=1.26
FROM golang:${GO} AS build
WORKDIR /retrylint
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /usr/local/bin/retrylint ./cmd/retrylint

FROM golang:${GO}
COPY --from=build /usr/local/bin/retrylint /usr/local/bin/retrylint
# The code belongs to somebody else than the container's user, which git refuses; a newer Go is fetched if go.mod asks for it.
RUN git config --system --add safe.directory '*'
ENV GOTOOLCHAIN=auto GOCACHE=/cache/build GOMODCACHE=/cache/modules
VOLUME /cache
WORKDIR /src
ENTRYPOINT ["retrylint"]
CMD ["./..."]
