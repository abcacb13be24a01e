package sarama

type ProducerMessage struct{ Topic string }

type SyncProducer interface {
	SendMessage(msg *ProducerMessage) (partition int32, offset int64, err error)
}
