// Package tensorboard writes figures of training runs as event files, which
// TensorBoard draws.
//
// A file is a row of TFRecords, each an Event message of TensorFlow
// (tensorflow/core/util/event.proto) in protocol buffers: one that names the
// version, then one for each generation with its scalars. It depends on the
// figures alone, so that the file of a run that went on begins with that of the
// run as it was. The package reads no run.
package tensorboard
